import { InvalidRequestError, type Credential } from '../../index.ts'
import { Http } from '../../http.ts'
import type { CredentialsFile } from '../config/credentials.ts'
import type { Io } from '../io.ts'
import { accessToken } from '../login/access-token.ts'
import { toFailure } from '../service-failure.ts'

/**
 * That of the login. A key in the environment of an agent belongs to what the person works on: it does not get their prompts.
 */
export async function loginOf(io: Io, file: CredentialsFile, url: string): Promise<Credential> {
  const { api_key } = await file.deployment(url)
  return api_key === undefined ? { accessToken: (refused) => accessToken(io, file, url, refused) } : { apiKey: api_key }
}

/** Fails where the hooks would be silent for ever: the login may not recall or ingest, or the project is not there for it. */
export async function requireMemory(
  io: Io,
  file: CredentialsFile,
  url: string,
  project: string | undefined,
): Promise<void> {
  const http = new Http({ baseUrl: url, credential: await loginOf(io, file, url) })
  try {
    const options = { signal: io.interrupted }
    const body = { max_tokens: 1, ...(project === undefined ? {} : { context: { project_id: project } }) }
    await http.send({ method: 'POST', path: '/v1/memory/recall', body, options })
    // Refused for its body, and for nothing else.
    await http.send({ method: 'POST', path: '/v1/memory/ingest', body: {}, options }).catch((error: unknown) => {
      if (!(error instanceof InvalidRequestError)) throw error
    })
  } catch (error) {
    throw toFailure(error, url)
  }
}
