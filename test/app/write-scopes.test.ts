/**
 * @module-tag long
 * @module-tag shards
 */
import { describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/context.ts'
import { scopesOf, type EndpointSpec } from '../../src/core/http/endpoint.ts'
import { CANARY, plantCanaries } from '../support/canaries.ts'
import { travel } from '../support/clock.ts'
import { addKey, call, type Answer, type Tenant } from '../support/world.ts'
import { needsCredential, rows, type Row } from './every-endpoint.ts'
import { EVENT_REQUESTS } from './write-scopes/event-requests.ts'
import { IDENTITY_REQUESTS } from './write-scopes/identity-requests.ts'
import { MEMORY_REQUESTS } from './write-scopes/memory-requests.ts'
import type { Replayed, Requests, Sent } from './write-scopes/requests.ts'

const isWrite = (scope: Scope): boolean => scope.startsWith('write:') || scope === 'admin:workspace'
/** Only `admin:workspace` opens invitations and keys, so it reads them too. */
const isReadByAdmin = ({ method, scope }: EndpointSpec): boolean => method === 'get' && scope === 'admin:workspace'
const WRITES = rows(
  (spec) => needsCredential(spec) && spec.auth !== 'session' && scopesOf(spec).some(isWrite) && !isReadByAdmin(spec),
)

/** An operation without a row here fails the test. */
const REQUESTS: Requests = { ...MEMORY_REQUESTS, ...IDENTITY_REQUESTS, ...EVENT_REQUESTS }

async function send(spec: EndpointSpec, sent: Sent, by: Tenant, scopes: readonly Scope[]): Promise<Answer> {
  const { params = {}, query, body, raw, headers = {} } = sent
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  // A second for each request, so that no limit is met.
  travel(1_000)
  const { secret: key } = await addKey(by, { scopes })
  return call(spec.method.toUpperCase(), query === undefined ? path : `${path}?${query}`, {
    key,
    headers: { ...headers, ...(raw === undefined ? {} : { 'Content-Type': 'application/x-ndjson' }) },
    ...(raw === undefined ? { body } : { raw }),
  })
}

const textWithHeaders = ({ text, headers }: Answer): string => `${text}\n${JSON.stringify([...headers])}`

test('each operation with a scope to write has requests here', () => {
  expect(WRITES.map(({ spec }) => spec.operationId).sort()).toEqual(Object.keys(REQUESTS).sort())
})

test('the canaries are where their readers find them', async () => {
  const { owner, canaries, itemId, subscriptionId, misspeltId, deliveryId } = await plantCanaries()
  const paths = [
    `/v1/memory/items/${itemId}`,
    `/v1/projects/${owner.projectId}`,
    `/v1/workspaces/${owner.workspaceId}`,
    `/v1/workspaces/${owner.workspaceId}/members`,
    '/api/users/me',
    ...[subscriptionId, misspeltId].map((id) => `/v1/events/subscriptions/${id}`),
    `/v1/events/deliveries/${deliveryId}`,
  ]
  const seen = (await Promise.all(paths.map((path) => owner.send('GET', path)))).map(({ text }) => text).join('\n')
  // The headers of a webhook are shown to nobody (contract §5).
  const hidden: string[] = [CANARY.headerName, CANARY.headerValue]
  expect(canaries.filter((canary) => !seen.includes(canary))).toEqual(hidden)
})

describe('security 67: a credential that may only write reads nothing (contract §2)', () => {
  const byScope = WRITES.flatMap((row) =>
    scopesOf(row.spec)
      .filter(isWrite)
      .map((scope) => ({ ...row, scope })),
  )

  test.each(byScope)('$name with $scope alone', async ({ name, spec, scope }: Row & { scope: Scope }) => {
    const planted = await plantCanaries()
    let keys = 0
    const replays = ({ inBetween, ...sent }: Replayed): Sent => {
      const headers = { 'Idempotency-Key': `k${(keys += 1)}` }
      const before = async () => {
        const first = await send(spec, { ...sent, headers }, planted.owner, SCOPES)
        expect(first.status, `${name}: ${first.text}`).toBeLessThan(300)
        await inBetween?.(first)
      }
      return { ...sent, headers, before }
    }
    const requests = REQUESTS[spec.operationId]?.(planted, replays) ?? []
    for (const sent of requests) {
      await sent.before?.()
      const answer = await send(spec, sent, sent.byMember ? planted.member : planted.owner, [scope])
      const what = `${name} ${JSON.stringify(sent)}`
      expect({ what, status: answer.status, text: answer.text }).toMatchObject({ status: sent.status })
      const told = textWithHeaders(answer)
      const request = JSON.stringify(sent)
      const leaked = planted.canaries.filter((canary) => told.includes(canary) && !request.includes(canary))
      expect({ what, leaked, text: answer.text }).toMatchObject({ leaked: [] })
    }
  })
})
