import { expect } from 'vitest'
import type { EndpointSpec } from '../../src/core/http/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../../src/core/errors.ts'
import { endpoints } from '../../src/endpoints.ts'
import { errorCodesOf } from '../../src/reference/openapi/error-codes.ts'
import { asOperator } from '../support/operator.ts'
import { call, newSession, newTenant, type Answer, type Call } from '../support/world.ts'

/** One row of every matrix: a declaration, and its name in the report. */
export interface Row {
  name: string
  spec: EndpointSpec
}

/** Every endpoint that there is: what others add is covered without a line here. */
export const rows = (only: (spec: EndpointSpec) => boolean = () => true): Row[] =>
  endpoints
    .map(({ spec }) => ({ name: `${spec.method.toUpperCase()} ${spec.path}`, spec }))
    .filter(({ spec }) => only(spec) && spec.upgrade !== true)

/**
 * OAuth clients identify themselves in ways of their own (RFC 6749 §2.3): their tests are in test/auth. An operator is no
 * user, and opens no path of users: test/operator.
 */
export const needsCredential = ({ auth }: EndpointSpec): boolean =>
  auth !== 'none' && auth !== 'client' && auth !== 'operator'
export const answersProblems = ({ errorStyle }: EndpointSpec): boolean => errorStyle !== 'oauth'
export const takesJson = (spec: EndpointSpec): boolean =>
  spec.body !== undefined && (spec.bodyType ?? 'json') === 'json'
export const takesBody = (spec: EndpointSpec): boolean => spec.body !== undefined

const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', ndjson: 'application/x-ndjson' }
export const typeOf = (spec: EndpointSpec): string => TYPES[spec.bodyType ?? 'json']

/** The path with ids that never existed in its places. */
export const pathOf = (spec: EndpointSpec): string => spec.path.replaceAll(/\{\w+\}/g, 'xyz_00000000000000000000000000')

let address = 0
/** An address that nobody else uses, so that limits by address never meet. */
export const newAddress = (): Record<string, string> => {
  address += 1
  return { 'CF-Connecting-IP': `198.51.${Math.floor(address / 250)}.${(address % 250) + 1}` }
}

/** A signed-in user of a tenant of its own: a session may call every endpoint. */
async function newCaller(): Promise<Record<string, string>> {
  return newSession(await newTenant())
}

/** Headers of somebody who may call an endpoint. */
export const callerOf = async (spec: EndpointSpec): Promise<Record<string, string>> =>
  spec.auth === 'operator' ? asOperator : needsCredential(spec) ? newCaller() : {}

/** One request to an endpoint, by a caller who may make it, unless the options say otherwise. */
export async function ask(
  spec: EndpointSpec,
  options: Call & { search?: string; type?: string | null } = {},
): Promise<Answer> {
  const { search = '', type, headers, ...rest } = options
  const typed = rest.raw === undefined || type === null ? {} : { 'Content-Type': type ?? typeOf(spec) }
  const credential = headers ?? (await callerOf(spec))
  return call(spec.method.toUpperCase(), pathOf(spec) + search, {
    ...rest,
    headers: { ...newAddress(), ...typed, ...credential },
  })
}

/** The shape of every failure (contract §1): RFC 9457 with a code of the closed set, or RFC 6749 §5.2 of OAuth endpoints. */
export function expectProblem(answer: Answer, code: ErrorCode, { name, spec }: Row): void {
  expect(answer.status, `${name}: ${answer.text}`).toBe(ERROR_STATUS[code])
  // 405 is no answer of an endpoint.
  if (code !== 'method_not_allowed') expect(errorCodesOf(spec), `${name} declares`).toContain(code)
  expect(answer.headers.get('x-request-id'), name).toMatch(/^req_[0-9A-Z]{26}$/)
  if (spec.errorStyle === 'oauth') {
    expect(answer.body, name).toEqual(expect.objectContaining({ error: expect.any(String) }))
    return
  }
  expect(answer.headers.get('content-type'), name).toBe('application/problem+json')
  expect(answer.body, name).toMatchObject({
    type: `http://recollect.test/api-reference/errors#${code}`,
    title: expect.any(String),
    status: ERROR_STATUS[code],
    detail: expect.any(String),
    code,
    request_id: answer.headers.get('x-request-id'),
  })
}
