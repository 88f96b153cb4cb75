import { installLines } from './install-lines.ts'

interface Sdk {
  lang: string
  description: string
  source: string
}

const described = (origin: string, line: string): string =>
  `\`\`\`sh\n${line}\n\`\`\`\n\nIt installs the version in [versions.json](${origin}/client/versions.json).`

/** Our own clients, for the renderer, which otherwise shows those of others. */
export const sdkInstallation = (origin: string): Sdk[] => [
  {
    lang: 'TypeScript',
    description: described(origin, installLines(origin).npm),
    source: `import { Recollect } from 'recollect'

const recollect = new Recollect({ baseUrl: '${origin}', credential: { apiKey: 'rck_YOUR_KEY' } })`,
  },
  {
    lang: 'Python',
    description: described(origin, installLines(origin).pip),
    source: `from recollect import Recollect

client = Recollect("${origin}", api_key="rck_YOUR_KEY")`,
  },
]
