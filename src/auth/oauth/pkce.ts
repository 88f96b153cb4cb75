import { toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { timingSafeEqual } from '../../core/values/hash.ts'
import type { Client } from './clients/client.ts'

/** Whether an application must use PKCE: a public one always, a confidential one where it was switched on (contract §2). */
export const requiresPkce = ({ type, requirePkce }: Pick<Client, 'type' | 'requirePkce'>): boolean =>
  type === 'public' || requirePkce

/** An S256 challenge is the base64url of 32 bytes (RFC 7636 §4.2). */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** A verifier as RFC 7636 §4.1 has it. */
const isVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/**
 * Whether the verifier matches the challenge (RFC 7636 §4.6). A verifier without a challenge does not: the client that
 * sends one believes that its request was protected (RFC 9700 §2.1.1, downgrade).
 */
export async function verifierMatches(challenge: string | null, verifier: string | undefined): Promise<boolean> {
  if (challenge === null) return verifier === undefined
  if (verifier === undefined || !isVerifier(verifier)) return false
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(verifier)))
  return timingSafeEqual(utf8(toBase64Url(digest)), utf8(challenge))
}
