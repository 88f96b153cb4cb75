import { z } from '@hono/zod-openapi'

/** What the guard does with a secret that a write brings, from the mildest to the strictest. */
const GUARD_MODES = ['off', 'flag', 'redact', 'refuse'] as const
export const GuardMode = z.enum(GUARD_MODES)
export type GuardMode = (typeof GUARD_MODES)[number]

/** The stricter of two. */
export const stricter = (a: GuardMode, b: GuardMode): GuardMode =>
  GUARD_MODES.indexOf(a) > GUARD_MODES.indexOf(b) ? a : b

const fields = {
  direct: GuardMode.meta({ description: 'Secrets in what a client writes itself.' }),
  unattended: GuardMode.meta({ description: 'Secrets in turns of conversations that nobody looks through.' }),
}
const cards = GuardMode.meta({ description: 'Numbers of payment cards.' })
const ibans = GuardMode.meta({ description: 'Numbers of bank accounts.' })

export const GuardSchema = z.object({ secrets: z.object(fields), cards, ibans }).openapi('ProjectGuard', {
  description: 'What happens to a secret in a write: it is left, reported, replaced, or refused.',
})
export type Guard = z.infer<typeof GuardSchema>

/** Names change; the others stay. */
export const GuardChanges = z
  .strictObject({
    secrets: z.strictObject({ direct: fields.direct.optional(), unattended: fields.unattended.optional() }).optional(),
    cards: cards.optional(),
    ibans: ibans.optional(),
  })
  .openapi('ProjectGuardChanges')
type Changes = z.infer<typeof GuardChanges>

export const DEFAULT_GUARD: Guard = { secrets: { direct: 'flag', unattended: 'redact' }, cards: 'off', ibans: 'off' }

/** The guard of a project, from its column `guard`: JSON of what differs from the defaults, or null. */
export function guardOf(stored: string | null): Guard {
  const { secrets = {}, cards, ibans } = stored === null ? ({} as Changes) : (JSON.parse(stored) as Changes)
  return {
    secrets: {
      direct: secrets.direct ?? DEFAULT_GUARD.secrets.direct,
      unattended: secrets.unattended ?? DEFAULT_GUARD.secrets.unattended,
    },
    cards: cards ?? DEFAULT_GUARD.cards,
    ibans: ibans ?? DEFAULT_GUARD.ibans,
  }
}
