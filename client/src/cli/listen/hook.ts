import { Webhook } from 'standardwebhooks'
import { ulid } from 'ulidx'
import type { CredentialsFile } from '../config/credentials.ts'
import type { Io } from '../io.ts'

const SECRET_BYTES = 24

export interface Hook {
  subscription_id: string
  /** `whsec_…`, of Standard Webhooks. */
  secret: string
}

/**
 * The hook of a deployment: a signing secret and the id that stands for a subscription. They are made once and kept, so
 * that a receiver keeps its configuration. `fresh` tells that they are new: the secret is then shown, and never again.
 */
export function hookOf(
  io: Io,
  file: CredentialsFile,
  url: string,
  renew: boolean,
): Promise<{ hook: Hook; fresh: boolean }> {
  return file.updateDeployment(url, (deployment) => {
    if (deployment.hook && !renew) return { hook: deployment.hook, fresh: false }
    const secret = `whsec_${Buffer.from(io.randomBytes(SECRET_BYTES)).toString('base64')}`
    deployment.hook = { subscription_id: deployment.hook?.subscription_id ?? newId('sub'), secret }
    return { hook: deployment.hook, fresh: true }
  })
}

export const newId = (prefix: 'sub' | 'dlv'): string => `${prefix}_${ulid()}`

/** The headers and the body of contract §5. `at` is the instant of this attempt, in milliseconds. */
export function signed({ secret }: Hook, delivery: { id: string; body: string }, at: number): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Recollect-Webhook/1',
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign(delivery.id, new Date(at), delivery.body),
  }
}
