import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints.ts'
import type { EndpointSpec } from '../../src/core/http/endpoint.ts'

/** What the reference shows fits the schemas that validate (contract §7); test/e2e/examples.test.ts sends it. */

const ROWS = endpoints.map(({ spec }): { name: string; spec: EndpointSpec } => ({
  name: `${spec.method.toUpperCase()} ${spec.path}`,
  spec,
}))

const faultOf = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value)
  return error ? z.prettifyError(error) : ''
}
/** As the schema, but nothing besides what it names. */
const exact = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema

/** Statuses of success with a body. */
const bodiesOf = ({ reply }: EndpointSpec) =>
  Object.entries(reply).flatMap(([status, schema]) =>
    schema && status < '300' ? [{ status: Number(status), schema }] : [],
  )

describe.each(ROWS)('$name', ({ spec }) => {
  const { example } = spec

  test('has an example of its path and of its body, which its schemas take', () => {
    const nothing = z.undefined()
    expect(faultOf(spec.params ?? nothing, example.params)).toBe('')
    expect(faultOf(spec.query ?? nothing, spec.query ? (example.query ?? {}) : example.query)).toBe('')
    expect(faultOf(spec.body ?? nothing, example.body)).toBe('')
    expect(example.body === undefined).toBe(spec.body === undefined)
  })

  test('has an example of each answer, which its schema takes and which says nothing else', () => {
    const bodies = bodiesOf(spec)
    for (const { status, schema } of bodies) {
      const shown = example.replies?.[status] ?? example.reply
      expect(shown, `${status}`).toBeDefined()
      expect(faultOf(exact(schema), shown), `${status}`).toBe('')
    }
    expect(spec.replyLines === undefined).toBe(example.lines === undefined)
    expect(example.reply === undefined).toBe(bodies.length === 0)
  })
})

test('an example that does not fit its schema is told', () => {
  expect(faultOf(exact(z.object({ a: z.string() })), { a: 1 })).toContain('expected string')
  expect(faultOf(exact(z.object({ a: z.string() })), { a: '', b: 1 })).toContain('b')
})
