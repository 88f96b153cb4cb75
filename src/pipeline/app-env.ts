import type { Principal, System } from '../core/context.ts'

/** The values that Hono carries through one request. */
export interface AppEnv {
  Bindings: Env
  Variables: { system: System; requestId: string; principal?: Principal; errorStyle?: 'problem' | 'oauth' }
}
