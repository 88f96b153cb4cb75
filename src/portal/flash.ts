import { clearCookie, readCookie, setCookie } from '../auth/index.ts'
import { fromBase64Url, toBase64Url, utf8 } from '../core/values/encoding.ts'
import type { Random } from '../core/values/ids.ts'
import type { PublicPageContext } from './page-context.ts'
import { visitorSecret } from './visitor-cookie.ts'

/** A message that the next page shows once: the result of a form action, and a new secret. */
export interface Flash {
  tone: 'ok' | 'warn' | 'danger'
  text: string
  /** `of`: the id of what the secret belongs to. */
  secret?: { of: string; value: string }
}

const COOKIE = '__Host-recollect_flash'
const LIFE_SECONDS = 60
const IV_BYTES = 12

/**
 * The `Set-Cookie` value that carries a flash over the redirect, encrypted under the session. The secret is in no URL,
 * and no other session can read it.
 */
export async function sealFlash(flash: Flash, session: string, random: Random): Promise<string> {
  const iv = random(IV_BYTES)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(session), utf8(JSON.stringify(flash)))
  const bytes = new Uint8Array(IV_BYTES + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), IV_BYTES)
  return setCookie(COOKIE, toBase64Url(bytes), LIFE_SECONDS)
}

/** The flash of this request; null if there is none or another session sealed it. */
export async function openFlash(headers: Headers, session: string): Promise<Flash | null> {
  const bytes = fromBase64Url(readCookie(headers, COOKIE) ?? '')
  if (!bytes || bytes.byteLength <= IV_BYTES) return null
  try {
    const iv = bytes.subarray(0, IV_BYTES)
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyOf(session), bytes.subarray(IV_BYTES))
    return JSON.parse(new TextDecoder().decode(opened)) as Flash
  } catch {
    return null
  }
}

/** The cookies of a flash for the next public page in this browser, whose session has ended. */
export async function flashForVisitor({ request, system }: PublicPageContext, flash: Flash): Promise<string[]> {
  const { secret, cookies } = visitorSecret(request, system)
  return [...cookies, await sealFlash(flash, secret, system.random)]
}

/** The flash of a public page, which it shows once. */
export async function visitorFlash({ request, system, cookies }: PublicPageContext): Promise<Flash | null> {
  const flash = await openFlash(request.headers, visitorSecret(request, system).secret)
  if (flash) cookies.push(clearFlash())
  return flash
}

export const clearFlash = (): string => clearCookie(COOKIE)

async function keyOf(session: string): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest('SHA-256', utf8(`flash of ${session}`))
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
