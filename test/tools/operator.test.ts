import { expect, test } from 'vitest'
import { HELP, inWords, operate } from '../../tools/operator.ts'
import { NotFoundError } from 'recollect'

const KEY = 'a'.repeat(43)

const LIMITS = {
  subject: 'ten_1',
  type: 'tenant',
  tenant_id: 'ten_1',
  user_id: null,
  limits: [
    { name: 'read', account_class: 'users', set: 50, limit: 50, max: 1_000, window_seconds: 1, per: 'user' },
    {
      name: 'read',
      account_class: 'service_accounts',
      set: null,
      limit: 50,
      max: 1_000,
      window_seconds: 1,
      per: 'user',
    },
  ],
}

/** Runs a command against a service that gives one answer, and tells what it said and what it sent. */
async function run(args: string[], answer: object = LIMITS, env: Record<string, string> = { OPERATOR_KEY: KEY }) {
  const lines: string[] = []
  const sent: { method: string; url: string; key: string | null; body: unknown }[] = []
  const answering = async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init)
    const text = await request.clone().text()
    sent.push({
      method: request.method,
      url: request.url,
      key: request.headers.get('authorization'),
      body: text === '' ? null : JSON.parse(text),
    })
    return Response.json(answer)
  }
  await operate({ args, env, say: (line) => lines.push(line), fetch: answering })
  return { lines, sent }
}

test('--help and no command say everything, with examples, and need no key', async () => {
  for (const args of [['--help'], [], ['limits', 'set', '--help']])
    expect((await run(args, LIMITS, {})).lines).toEqual([HELP])
  expect(HELP).toContain('Examples:')
})

test('each example of the help is a command that is sent', async () => {
  const examples = HELP.split('\n').flatMap((line) => /^ {2}npm run operator -- (.*[^…\]])$/.exec(line)?.[1] ?? [])
  expect(examples).toHaveLength(7)
  for (const example of examples) {
    const { sent } = await run(example.split(' '), /changes|list/.test(example) ? { data: [] } : LIMITS)
    expect(sent).toHaveLength(1)
  }
})

test('show prints what is set and what holds, of a subject or of the deployment', async () => {
  const { lines, sent } = await run(['limits', 'show', '--tenant=ten_1'])
  expect(sent).toEqual([
    { method: 'GET', url: 'http://localhost:8787/v1/operator/limits/ten_1', key: `Bearer ${KEY}`, body: null },
  ])
  expect(lines).toEqual([
    'ten_1',
    'limit  of                set  in force   most',
    'read   users             50   50 in 1 s  1000',
    'read   service accounts  –    50 in 1 s  1000',
  ])
  expect((await run(['limits', 'show'])).sent[0]?.url).toMatch(/limits\/deployment$/)
  expect((await run(['limits', 'show', '--json'])).lines).toEqual([JSON.stringify(LIMITS)])
})

test('set sends what is named: numbers, none, and the class of accounts', async () => {
  const env = { OPERATOR_KEY: `k1:${KEY}`, RECOLLECT_URL: 'https://memory.example.com/' }
  const { sent } = await run(['limits', 'set', '--key=key_1', 'api-key=300', 'memory.search=none'], LIMITS, env)
  expect(sent).toEqual([
    {
      method: 'PATCH',
      url: 'https://memory.example.com/v1/operator/limits/key_1',
      key: `Bearer ${KEY}`,
      body: { limits: { 'api-key': 300, 'memory.search': null } },
    },
  ])
  const service = await run(['limits', 'set', '--service-accounts', 'read=9'])
  expect(service.sent[0]?.body).toEqual({ service_account_limits: { read: 9 } })
})

test('changes prints a line each, and what somebody named does not drive the terminal', async () => {
  const change = (to: number | null, subject: string) => ({
    id: 'aud_1',
    at: '2026-11-23T01:00:00.000Z',
    operator: 'k1',
    subject,
    tenant_id: null,
    changes: [{ name: 'read', account_class: 'service_accounts', from: null, to }],
    request_id: 'req_1',
  })
  const { lines, sent } = await run(['limits', 'changes', '--user=usr_1', '--count=5'], {
    data: [change(50, 'usr_1'), change(null, 'usr\u001b[2J')],
  })
  expect(sent[0]?.url).toBe('http://localhost:8787/v1/operator/changes?limit=5&subject=usr_1')
  expect(lines[0]).toBe('2026-11-23T01:00:00.000Z  k1  usr_1  read of service accounts none → 50')
  expect(lines[1]).toBe('2026-11-23T01:00:00.000Z  k1  usr  read of service accounts none → none')
  expect((await run(['limits', 'changes'], { data: [] })).lines).toEqual(['Nothing was changed.'])
})

test('list prints a line each, page after page until enough are told', async () => {
  const row = (subject: string, tenant_id: string | null) => ({
    subject,
    tenant_id,
    updated_at: '2026-11-23T01:00:00.000Z',
    limits: [
      { name: 'read', account_class: 'service_accounts', set: 50 },
      { name: 'write', account_class: 'users', set: 9 },
    ],
  })
  const page = { data: [row('key_1', 'ten_1'), row('ten_1', 'ten_1')], has_more: true, next_cursor: 'c' }
  const { lines, sent } = await run(['limits', 'list', '--count=4'], page)
  expect(sent.map(({ url }) => url)).toEqual([
    'http://localhost:8787/v1/operator/limits?limit=4',
    'http://localhost:8787/v1/operator/limits?limit=2&cursor=c',
  ])
  expect(lines.slice(0, 2)).toEqual([
    '2026-11-23T01:00:00.000Z  key_1 of ten_1  read of service accounts 50, write 9',
    '2026-11-23T01:00:00.000Z  ten_1  read of service accounts 50, write 9',
  ])
  expect((await run(['limits', 'list'], { data: [] })).lines).toEqual(['No subject has limits of its own.'])
})

test.each([
  [['limits', 'list', '--user=usr_1'], { OPERATOR_KEY: KEY }, 'omit the subject'],
  [['limits', 'show'], {}, 'Set OPERATOR_KEY'],
  [['limit', 'show'], { OPERATOR_KEY: KEY }, '"limit show" is not a command'],
  [['limits', 'set'], { OPERATOR_KEY: KEY }, 'A limit and its number are missing'],
  [['limits', 'set', 'read=many'], { OPERATOR_KEY: KEY }, '"read=many" is not a limit and a number'],
  [['limits', 'show', '--user=usr_1', '--key=key_1'], { OPERATOR_KEY: KEY }, 'Use only one of'],
  [['limits', 'show', 'read=5'], { OPERATOR_KEY: KEY }, 'Unexpected argument'],
  [['limits', 'changes', '--count=0'], { OPERATOR_KEY: KEY }, '--count must be'],
  [['limits', 'show', '--url=http://memory.example.com'], { OPERATOR_KEY: KEY }, 'is not encrypted'],
] as [string[], Record<string, string>, string][])('%j sends nothing and says why', async (args, env, message) => {
  await expect(run(args, LIMITS, env)).rejects.toThrow(message)
})

test('a deployment without a key says what is missing, and another 404 its own words', () => {
  const of = (detail: string) =>
    inWords(new NotFoundError({ type: '', title: '', status: 404, detail, code: 'not_found', request_id: 'req_1' }))
  expect(of('No such path.')).toContain('OPERATOR_KEYS')
  expect(of('No such tenant, user or API key.')).toBe('No such tenant, user or API key.')
})
