import { randomBytes } from 'node:crypto'

/** The key rings that each deployment generates for itself; `src/core/values/hash.ts` reads them. */
export const SECRET_NAMES = ['TOKEN_KEYS', 'PASSWORD_PEPPERS', 'DATA_KEYS'] as const

/** A ring of one new key, `id:base64url`. A rotation adds a key in front (docs/operations.md). */
export const newKeyRing = (): string => `k1:${randomBytes(32).toString('base64url')}`
