import type { EndpointSpec } from '../../core/http/endpoint.ts'

/** Why a request of the declared schemas may still be 422, by the code of the field (`errors[].code`). */
export const refusalsOf = ({ query, refusals }: EndpointSpec): Record<string, string> => ({
  ...(query && 'cursor' in query.shape ? { invalid_cursor: '`cursor` is not from this list' } : {}),
  ...refusals,
})

/** The same as a sentence of the description; empty for none. */
export function refusalsInWords(spec: EndpointSpec): string {
  const reasons = Object.entries(refusalsOf(spec)).map(([code, reason]) => `${reason} (\`${code}\`)`)
  return reasons.length === 0 ? '' : `Also returns 422 if ${reasons.join('; ')}.`
}
