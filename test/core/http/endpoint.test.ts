import { expect, expectTypeOf, test } from 'vitest'
import type { AuthContext, RequestContext } from '../../../src/core/context.ts'
import { endpoint, isPublic } from '../../../src/core/http/endpoint.ts'

const declared = {
  method: 'get',
  path: '/somewhere',
  operationId: 'answer',
  tag: 'test',
  summary: 'Answer',
  scope: null,
  limit: null,
  audit: null,
  reply: { 200: null },
  example: {},
} as const

test('an endpoint of anybody or of an OAuth client has a context without a principal', () => {
  const anybody = endpoint({ ...declared, auth: 'none' }).handle(({ ctx, credential }) => {
    expectTypeOf(ctx).toEqualTypeOf<RequestContext>()
    expectTypeOf(ctx).not.toHaveProperty('principal')
    expectTypeOf(credential).toEqualTypeOf<null>()
  })
  const client = endpoint({ ...declared, auth: 'client' }).handle(({ ctx }) => {
    expectTypeOf(ctx).not.toHaveProperty('principal')
  })
  expect([isPublic(anybody), isPublic(client)]).toEqual([true, true])
})

test('an endpoint of any method or of a session alone has the context of its caller', () => {
  const any = endpoint(declared).handle(({ ctx }) => expectTypeOf(ctx).toEqualTypeOf<AuthContext>())
  const session = endpoint({ ...declared, auth: 'session' }).handle(({ ctx }) =>
    expectTypeOf(ctx).toEqualTypeOf<AuthContext>(),
  )
  expect([isPublic(any), isPublic(session)]).toEqual([false, false])
})
