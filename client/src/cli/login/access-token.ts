import { AuthenticationError, problemOf } from '../../index.ts'
import type { CredentialsFile } from '../config/credentials.ts'
import type { Io } from '../io.ts'
import { refresh } from './oauth.ts'

/** An access token that ends so soon is refreshed before it is used. */
const EARLY_MS = 60_000

/**
 * The access token of the login at `url`, refreshed where it ends soon or where the service has refused it (`refused`).
 * Of two commands at once one refreshes, under the lock of the file, and the other reads what it got.
 */
export async function accessToken(io: Io, file: CredentialsFile, url: string, refused?: string): Promise<string> {
  const isGood = (login: { access_token: string; expires_at: number } | undefined) =>
    login !== undefined && login.access_token !== refused && login.expires_at - EARLY_MS > io.now()
  const { oauth } = await file.deployment(url)
  if (oauth && isGood(oauth)) return oauth.access_token
  const login = await file.updateDeployment(url, async (deployment) => {
    if (!deployment.oauth || !deployment.client_id) return null
    if (isGood(deployment.oauth)) return deployment.oauth
    const renewed = await refresh(url, deployment.client_id, deployment.oauth, io.now)
    if (renewed) deployment.oauth = renewed
    else delete deployment.oauth
    return renewed
  })
  if (login) return login.access_token
  // A stream ends upon an error of 401, and connects again after any other.
  throw new AuthenticationError(problemOf('unauthenticated', `The login at ${url} has ended.`, 401))
}
