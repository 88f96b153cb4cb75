import { TOKEN_PREFIXES } from '../../../core/values/token-prefix.ts'
import { shape } from './token-shape.ts'

/** Tokens of this service, whichever deployment made them (contract §2). */
export const OWN_TOKENS = [
  shape('recollect_token', TOKEN_PREFIXES.map((prefix) => `${prefix}_`).join(' '), 'alnum', 54),
]
