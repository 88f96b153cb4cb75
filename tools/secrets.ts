import { randomBytes } from 'node:crypto'

/** Key rings that every deployment has of its own; `src/core/values/hash.ts` reads them. */
export const SECRET_NAMES = ['TOKEN_KEYS', 'PASSWORD_PEPPERS', 'DATA_KEYS'] as const

/** A ring of one fresh key, `id:base64url`; rotating puts a new one in front (docs/operations.md). */
export const newKeyRing = (): string => `k1:${randomBytes(32).toString('base64url')}`
