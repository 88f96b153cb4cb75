import { z } from '@hono/zod-openapi'
import type { System } from '../core/context.ts'
import { anyId } from '../core/http/fields.ts'
import { SAMPLE_IDS } from '../core/sample.ts'
import { LIMITS } from '../core/limits.ts'
import { maxPermits, SETTABLE } from '../core/settable-limits.ts'
import { DEPLOYMENT, limitOf, type Account, type LimitSetting } from '../limits/index.ts'
import { ACCOUNT_CLASSES, type AccountClass } from '../limits/table.ts'
import type { Subject } from './subject.ts'

export const SubjectParams = z.strictObject({
  subject: anyId.meta({ description: '`deployment`, or the id of a tenant, a user or an API key.' }),
})

export const LimitsSchema = z
  .object({
    subject: z.string(),
    type: z.enum(['deployment', 'tenant', 'user', 'api_key']),
    tenant_id: z
      .string()
      .nullable()
      .meta({ description: 'The tenant that the subject is or belongs to. Null for the deployment.' }),
    user_id: z.string().nullable().meta({
      description: 'The user that the subject is, or that the key acts as. Null for the deployment and a tenant.',
    }),
    limits: z.array(
      z.object({
        name: z.string(),
        account_class: z.enum(ACCOUNT_CLASSES),
        set: z.int().nullable().meta({ description: 'The value set for this subject itself; null if none is set.' }),
        limit: z
          .int()
          .meta({ description: 'The limit that applies unless a more specific one is set: permits in any window.' }),
        max: z.int().meta({ description: 'The highest value that it can be set to.' }),
        window_seconds: z.int(),
        per: z.string().meta({ description: 'What the limit counts by: each of these has its own window.' }),
      }),
    ),
  })
  .openapi('OperatorLimits')

export type OperatorLimits = z.infer<typeof LimitsSchema>

export const SAMPLE_LIMITS: OperatorLimits = {
  subject: SAMPLE_IDS.key,
  type: 'api_key',
  tenant_id: SAMPLE_IDS.tenant,
  user_id: SAMPLE_IDS.ada,
  limits: [
    {
      name: 'api-key',
      account_class: 'users',
      set: 100,
      limit: 100,
      max: maxPermits('api-key'),
      window_seconds: 1,
      per: 'key',
    },
  ],
}

/** The limits that a subject may have: a key has one of its own, the others have all that can be set. */
export const limitsFor = ({ type }: Pick<Subject, 'type'>): (typeof SETTABLE)[number][] =>
  SETTABLE.filter((name) => type !== 'api_key' || LIMITS[name].per === 'key')

/** The classes of accounts that limits of a subject may name. A user, and a key, is of one class. */
const classesOf = ({ type, kind }: Subject): readonly AccountClass[] =>
  type === 'deployment' || type === 'tenant' ? ACCOUNT_CLASSES : [kind === 'service' ? 'service_accounts' : 'users']

/** The limits of a subject: those that are set for it, and those that hold by it and by every wider subject. */
export async function readSubjectLimits(system: System, subject: Subject): Promise<OperatorLimits> {
  const settings = await subject.db.all<LimitSetting>(
    `select subject, account_class, name, permits from limit_settings where holder in (select value from json_each(:holders))`,
    { holders: JSON.stringify([DEPLOYMENT, subject.tenantId, subject.userId].filter((holder) => holder !== null)) },
  )
  const { id, type, tenantId, userId } = subject
  const limits = limitsFor(subject).flatMap((name) =>
    classesOf(subject).map((accountClass) => {
      const kind: Account['kind'] = accountClass === 'service_accounts' ? 'service' : 'person'
      const account = { userId: userId ?? '', tenantId: tenantId ?? '', kind }
      const { limit, windowMs, per } = limitOf(
        name,
        account,
        settings,
        system.config.limits,
        type === 'api_key' ? id : null,
      )
      return {
        name,
        account_class: accountClass,
        set: settings.find((one) => isOf(one, subject, accountClass) && one.name === name)?.permits ?? null,
        limit,
        max: maxPermits(name),
        window_seconds: windowMs / 1_000,
        per,
      }
    }),
  )
  return { subject: id, type, tenant_id: tenantId, user_id: userId, limits }
}

/** The settings of one user, or of one key, stand under `users`, whatever the class of the account. */
const isOf = (setting: LimitSetting, { id, userId }: Subject, accountClass: AccountClass): boolean =>
  setting.subject === id && setting.account_class === (userId === null ? accountClass : 'users')
