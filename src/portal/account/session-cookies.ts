import {
  clearCookie,
  normalizeEmail,
  readCookie,
  SESSION_COOKIE,
  setCookie,
  type LoginReply,
} from '../../auth/index.ts'
import type { ResetReply } from '../../identity/index.ts'
import { sha256 } from '../../core/values/hash.ts'
import { DAY_SECONDS } from '../../core/values/durations.ts'

/** As long as ended sessions are kept, by which the service knows a device. */
const DEVICE_SECONDS = 90 * DAY_SECONDS

/** A cookie for each account, since several people may use one browser. It outlives the session. */
const deviceCookie = async (email: string): Promise<string> =>
  `__Host-recollect_device_${(await sha256(normalizeEmail(email))).slice(0, 16)}`

/** The device that redeemed a reset link, until it signs in. Its cookie has no account, since the link does not tell the address. */
const RESET_COOKIE = '__Host-recollect_reset_device'

/** The fields of a login by which the service knows this browser, if it has logged in to the account. */
export async function deviceFields(headers: Headers, email: string): Promise<Record<string, string>> {
  const token = readCookie(headers, RESET_COOKIE) ?? readCookie(headers, await deviceCookie(email))
  return token === null ? {} : { device_token: token.slice(0, 200) }
}

/** The cookies of a new session: the session itself, which expires with it, and the device (contract §2). */
export const sessionCookies = async (email: string, reply: LoginReply): Promise<string[]> => [
  setCookie(SESSION_COOKIE, reply.session_token, reply.expires_in),
  setCookie(await deviceCookie(email), reply.device_token, DEVICE_SECONDS),
]

/** Ends the cookie of a reset with the sign-in that used it. */
export const endedReset = (headers: Headers): string[] =>
  readCookie(headers, RESET_COOKIE) === null ? [] : [clearCookie(RESET_COOKIE)]

export const resetCookie = (reply: ResetReply): string => setCookie(RESET_COOKIE, reply.device_token, DAY_SECONDS)
