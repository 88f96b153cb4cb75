interface Sdk {
  lang: string
  description: string
  source: string
}

/** Our own clients, for the renderer, which otherwise shows those of others. */
export const sdkInstallation = (origin: string): Sdk[] => [
  {
    lang: 'TypeScript',
    description: `The address of the package is in [versions.json](${origin}/client/versions.json).`,
    source: `import { Recollect } from 'recollect'

const recollect = new Recollect({ baseUrl: '${origin}', credential: { apiKey: 'rck_YOUR_KEY' } })`,
  },
  {
    lang: 'Python',
    description: `The address of the package is in [versions.json](${origin}/client/versions.json).`,
    source: `from recollect import Recollect

client = Recollect("${origin}", api_key="rck_YOUR_KEY")`,
  },
]
