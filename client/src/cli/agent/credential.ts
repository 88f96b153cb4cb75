import { InvalidRequestError, type Credential } from '../../index.ts'
import { Http } from '../../http.ts'
import { accountOf } from '../config/account.ts'
import type { CredentialsFile } from '../config/credentials.ts'
import type { Io } from '../io.ts'
import { accessToken } from '../login/access-token.ts'
import { toFailure } from '../service-failure.ts'

/** Another account has logged in than the one that a credential was asked for. */
export class OtherLogin extends Error {}

/**
 * That of the login, if it is of this account. A key in the environment of an agent belongs to what the person works on: it
 * does not get their prompts.
 */
export async function loginOf(io: Io, file: CredentialsFile, url: string, account: string | null): Promise<Credential> {
  const deployment = await file.deployment(url)
  if (accountOf(deployment) !== account) throw new OtherLogin()
  if (deployment.api_key !== undefined) return { apiKey: deployment.api_key }
  return { accessToken: (refused) => tokenOf(io, file, { url, account, refused }) }
}

/** Somebody else may log in between two requests, and while a token is refreshed. */
async function tokenOf(
  io: Io,
  file: CredentialsFile,
  { url, account, refused }: { url: string; account: string | null; refused: string | undefined },
): Promise<string> {
  const token = await accessToken(io, file, url, refused)
  const deployment = await file.deployment(url)
  if (accountOf(deployment) !== account || deployment.oauth?.access_token !== token) throw new OtherLogin()
  return token
}

/** Fails where the hooks would be silent for ever: the login may not recall or ingest, or the project is not there for it. */
export async function requireMemory(
  io: Io,
  file: CredentialsFile,
  url: string,
  project: string | undefined,
): Promise<void> {
  const account = accountOf(await file.deployment(url))
  const http = new Http({ baseUrl: url, credential: await loginOf(io, file, url, account) })
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
