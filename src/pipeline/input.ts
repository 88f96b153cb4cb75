import { decodeText, parseForm, parseJson, requireType, validate } from '../core/http/body.ts'
import type { EndpointSpec } from '../core/http/endpoint.ts'
import { invalid } from '../core/errors.ts'
import { LONG_JSON_BYTES, refuseLargeJson } from '../core/http/json/json-size.ts'
import { shownKey } from '../core/http/error-size.ts'

const DEFAULT_MAX_BYTES = 1024 * 1024

/** Largest body of an endpoint (contract §1). */
export const maxBytesOf = (spec: EndpointSpec): number => spec.maxBytes ?? DEFAULT_MAX_BYTES

/** The input of a request, validated by the schemas of its endpoint: body first, then query and path. */
export const readInput = (
  spec: EndpointSpec,
  said: {
    request: Request
    params: Record<string, string>
    /** The query of the URL. */
    search: string
    bytes: Uint8Array<ArrayBuffer>
  },
) => ({
  body: readRequestBody(spec, said.request, said.bytes),
  query: readQuery(spec, said.search),
  params: spec.params ? validate(spec.params, said.params) : undefined,
})

/** The body in the shape of the endpoint's schema: type 415, then JSON 400, then 422. */
function readRequestBody(spec: EndpointSpec, request: Request, bytes: Uint8Array<ArrayBuffer>): unknown {
  if (!spec.body) return undefined
  if (spec.bodyType === 'ndjson') {
    requireType(request, 'application/x-ndjson')
    return validate(spec.body, decodeText(bytes))
  }
  if (spec.bodyType === 'form') {
    requireType(request, 'application/x-www-form-urlencoded')
    return validate(spec.body, parseForm(decodeText(bytes)))
  }
  if (bytes.byteLength === 0 && spec.body.safeParse(undefined).success) return validate(spec.body, undefined)
  requireType(request, 'application/json')
  const json = decodeText(bytes)
  if (bytes.byteLength > LONG_JSON_BYTES) refuseLargeJson(json, 'The body')
  return validate(spec.body, (spec.parse ?? parseJson)(json))
}

/** OAuth endpoints ignore unknown parameters (RFC 6749 §3.1), all others refuse them. */
function readQuery({ errorStyle, ignoresQuery, query: schema }: EndpointSpec, search: string): unknown {
  if (ignoresQuery) return undefined
  if (schema) return validate(schema, parseForm(search))
  return errorStyle === 'oauth' ? undefined : refuseAny(parseForm(search))
}

/** An endpoint without query parameters takes none (contract §1: unknown query keys are 422). */
function refuseAny(value: unknown): undefined {
  const [key] = Object.keys(value as object)
  if (key === undefined) return undefined
  const shown = shownKey(key)
  throw invalid(shown, 'unknown_field', `Unknown parameter "${shown}".`)
}
