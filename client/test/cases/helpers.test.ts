import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasPython } from '../../../test/e2e/support/python.ts'
import { verifyWebhook } from '../../src/index.ts'
import { namespaceOf } from '../../src/namespace.ts'
import { runPython } from './python.ts'

const ENVIRONMENT_MS = 240_000

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const BODY = JSON.stringify({ subscription_id: 'sub_1', events: [{ id: 'evt_1', data: { memory_id: 'mem_ä' } }] })
const NOW = new Date(Math.floor(Date.now() / 1_000) * 1_000)
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)

function signed({ secret = SECRET, at = NOW } = {}): Record<string, string> {
  return {
    'Webhook-Id': 'dlv_1',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign('dlv_1', at, BODY),
  }
}

const WEBHOOKS = [
  { name: 'a signed body', headers: signed(), body: BODY, secret: SECRET },
  { name: 'one of two secrets', headers: signed({ secret: OTHER }), body: BODY, secret: [SECRET, OTHER] },
  {
    name: 'one of two signatures',
    headers: { ...signed(), 'webhook-signature': `v1a,xyz v1,AAAA ${signed()['webhook-signature']}` },
    body: BODY,
    secret: SECRET,
  },
  { name: 'another secret', headers: signed({ secret: OTHER }), body: BODY, secret: SECRET },
  { name: 'another body', headers: signed(), body: BODY.replace('ä', 'b'), secret: SECRET },
  { name: 'another id', headers: { ...signed(), 'Webhook-Id': 'dlv_2' }, body: BODY, secret: SECRET },
  { name: 'no signature', headers: { ...signed(), 'webhook-signature': '' }, body: BODY, secret: SECRET },
  {
    name: 'a malformed signature',
    headers: { ...signed(), 'webhook-signature': 'v1,%%%' },
    body: BODY,
    secret: SECRET,
  },
  { name: 'another version', headers: { ...signed(), 'webhook-signature': 'v2,AAAA' }, body: BODY, secret: SECRET },
  { name: 'no time', headers: { ...signed(), 'webhook-timestamp': 'soon' }, body: BODY, secret: SECRET },
  { name: 'an old time', headers: signed({ at: minutes(-6) }), body: BODY, secret: SECRET },
  { name: 'a time to come', headers: signed({ at: minutes(6) }), body: BODY, secret: SECRET },
  { name: 'an empty secret', headers: signed(), body: BODY, secret: '' },
  { name: 'a secret of its prefix alone', headers: signed(), body: BODY, secret: 'whsec_' },
  { name: 'no headers', headers: {}, body: BODY, secret: SECRET },
]

const LEVELS = [
  ['user', 'alex@example.com'],
  ['chat', 'auth0|5f7c8ec7'],
  ['a=b', '*', 'Zoë', '日🙂'],
  ['user', 'x'.repeat(123)],
  ['user', 'x'.repeat(124)],
  ['user', 'é'.repeat(60)],
  ...[0, 1, 2, 3].map((shift) => [`${'x'.repeat(shift + 1)}${'é'.repeat(60)}`]),
  ['user', ''],
  ['user', 'a\ud83d'],
]

const SERVICE = 'https://memory.example'
const ENV = { RECOLLECT_URL: `${SERVICE}/`, RECOLLECT_API_KEY: 'rck_env' }
const ITEM = '/v1/memory/items/mem_1'
const missing = (url: string) => ({
  error: 'TypeError',
  message: `base_url or RECOLLECT_URL must be the address of a service, not "${url}".`,
})
const CLIENTS: { name: string; env: object; options: object; expected: object }[] = [
  { name: 'address and key', env: ENV, options: {}, expected: { url: SERVICE + ITEM, key: 'rck_env', token: null } },
  {
    name: 'no key to another address',
    env: ENV,
    options: { base_url: 'https://other.example' },
    expected: { url: `https://other.example${ITEM}`, key: null, token: null },
  },
  {
    name: 'the address alone beside a credential',
    env: ENV,
    options: { session_token: 'rcs_x' },
    expected: { url: SERVICE + ITEM, key: null, token: 'rcs_x' },
  },
  {
    name: 'no key where it is empty',
    env: { ...ENV, RECOLLECT_API_KEY: '' },
    options: {},
    expected: { url: SERVICE + ITEM, key: null, token: null },
  },
  ...['', 'memory.example', 'ftp://a.example', 'https://', 'https://a b', 'https://a.example?x=1'].map((url) => ({
    name: `a complaint about "${url}"`,
    env: { RECOLLECT_URL: url },
    options: {},
    expected: missing(url),
  })),
  {
    name: 'a complaint about two credentials',
    env: ENV,
    options: { api_key: 'rck_x', access_token: 'rca_x' },
    expected: { error: 'TypeError' },
  },
]

/** Two of them fit in one call. */
const LARGE = ['a', 'b', 'c'].map((letter) => letter.repeat(400_000))

/** What the TypeScript client says of the same webhook. */
const verified = ({ headers, body, secret }: (typeof WEBHOOKS)[number]) =>
  verifyWebhook({ headers, body }, secret).catch(({ name, message }: Error) => ({ error: name, message }))

describe.runIf(hasPython)('the Python package', () => {
  let answers: Record<'webhooks' | 'namespaces' | 'clients' | 'histories', unknown[]>
  beforeAll(async () => {
    answers = await runPython('run_helpers.py', {
      webhooks: WEBHOOKS,
      namespaces: LEVELS,
      clients: CLIENTS,
      histories: [LARGE, []],
    })
  }, ENVIRONMENT_MS)

  test.each(WEBHOOKS.map((one, n) => ({ one, n, name: one.name })))(
    'says of a webhook with $name what the TypeScript client says',
    async ({ one, n }) => {
      expect(answers.webhooks[n]).toEqual(await verified(one))
    },
  )

  test.each(LEVELS.map((levels, n) => ({ levels, n })))(
    'gives $levels the namespace that the TypeScript client gives',
    async ({ levels, n }) => {
      const [first = '', ...rest] = levels
      const expected = await namespaceOf(first, ...rest).catch(() => 'refused')
      const answer = answers.namespaces[n]
      expect(typeof answer === 'string' ? answer : 'refused').toBe(expected)
    },
  )

  test.each(CLIENTS.map((one, n) => ({ one, n, name: one.name })))('takes from the environment $name', ({ one, n }) => {
    expect(answers.clients[n]).toMatchObject(one.expected)
  })
  test('sends of a history that is larger than a call its newest messages that fit', () => {
    expect(answers.histories).toEqual([[LARGE.slice(1)], []])
  })
})
