import type { Principal, System } from '../core/context.ts'

/** What Hono carries through one request. */
export interface AppEnv {
  Bindings: Env
  Variables: { system: System; requestId: string; principal?: Principal; errorStyle?: 'problem' | 'oauth' }
}
