import { InvalidRequestError, NotFoundError, type Credential } from '../../index.ts'
import { Http } from '../../http.ts'
import type { CredentialsFile } from '../config/credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
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

/** Fails where the hooks would be silent for ever: the deployment has no recall or no ingest, or the login may not use them. */
export async function requireMemory(io: Io, file: CredentialsFile, url: string): Promise<void> {
  const http = new Http({ baseUrl: url, credential: await loginOf(io, file, url) })
  try {
    const options = { signal: io.interrupted }
    await http.send({ method: 'POST', path: '/v1/memory/recall', body: { max_tokens: 1 }, options })
    // Refused for its body, and for nothing else.
    await http.send({ method: 'POST', path: '/v1/memory/ingest', body: {}, options }).catch((error: unknown) => {
      if (!(error instanceof InvalidRequestError)) throw error
    })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw toFailure(error, url)
    throw new Failure(EXIT.notFound, `${url} does not remember conversations yet.`, {
      hint: 'Ask its operator for a newer version.',
      cause: error,
    })
  }
}
