import { afterAll, expect, test } from 'vitest'
import { findNamedValue } from '../../../src/memory/guard/find/named-value.ts'
import { findInValue } from '../../../src/memory/guard/find/find-in.ts'
import { settled } from '../../support/counted.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { BASE62, base64, HEX, Seeded } from '../../support/secrets/random.ts'
import { db } from '../../support/world.ts'

afterAll(settled)

const r = new Seeded(40)
const awsSecret = () => r.chars(40, `${BASE62}+/`)
const SECRET = awsSecret()
const MARK = '[secret: aws_secret_key]'

async function withMode(direct: string): Promise<Writer> {
  const user = await newWriter()
  await user.send('PATCH', `/v1/projects/${user.projectId}`, { guard: { secrets: { direct } } })
  return user
}

test.each([
  ['aws_secret_key', awsSecret(), ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'secretAccessKey']],
  ['aws_secret_key', awsSecret(), ['AwsSecretAccessKey', 'aws-secret-access-key', 'AWS Secret Key', 'awsSecretKey']],
  ['azure_storage_key', base64(r.bytes(66)), ['AccountKey', 'storage_account_key']],
  ['azure_shared_access_key', base64(r.bytes(33)), ['SharedAccessKey', 'shared-access-key']],
  ['wireguard_key', base64(r.bytes(32)), ['PrivateKey', 'wg0.private_key']],
  ['npm_token', r.chars(36), ['//registry.example/:_authToken']],
])('%s: a value is one beside a name that says so (contract §3)', (kind, value, names) => {
  for (const name of names) {
    expect(findInValue(name, value), name).toEqual([{ kind, category: 'secrets', start: 0, end: value.length }])
    for (const opening of ['"', ' ', ' `'])
      expect(findInValue(name, `${opening}${value}${opening.trim()}`)).toMatchObject([{ start: opening.length }])
    expect(findInValue(name, `"${value.slice(0, 12)}`), `a shorter value of ${name}`).toEqual([])
  }
  expect(findInValue('note', value)).toEqual([])
})

test.each([
  ['aws_secret_access_key', ['wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('')],
  ['aws_secret_access_key', '${AWS_SECRET_ACCESS_KEY}'],
  ['aws_secret_access_key', 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:deploy'],
  ['aws_secret_access_key', r.chars(64)],
  ['aws_secret_access_key_id', SECRET],
  ['secret_access_key_sha1', r.chars(40, HEX)],
  ['access_key', SECRET],
  ['checksum', base64(r.bytes(32))],
  ['account_key', r.uuid()],
  ['private_key', '/etc/wireguard/keys/frankfurt-2026.private'],
  ['public_key', base64(r.bytes(32))],
  ['authToken', r.chars(36)],
])('%s beside %s is no secret', (name, value) => {
  expect(findInValue(name, value)).toEqual([])
})

test('a long name is read to its end alone, and a list does not have it read more often', () => {
  const name = `${'secret_access_key '.repeat(5_000)}of nobody`
  expect(findNamedValue(name, SECRET)).toEqual([])
  expect(findNamedValue(`${name} secret_access_key`, SECRET)).toHaveLength(1)
})

test('a secret that its name alone shows is refused with the path of its value, however deep it stands', async () => {
  const user = await withMode('refuse')
  const metadata = { env: [{ region: 'eu-central-1' }, { aws: { secret_access_key: [`🫖`, SECRET] } }] }
  const { status, body } = await user.store({ content: { text: 'deploy', metadata } })
  expect(status).toBe(422)
  expect(body.errors).toEqual([
    {
      path: 'content.metadata.env.1.aws.secret_access_key.1',
      code: 'secret_found',
      message: 'A secret was found (aws_secret_key, characters 0 to 40).',
    },
  ])
  expect(JSON.stringify(body)).not.toContain(SECRET)
  const { body: item } = await user.store({ content: { text: 'deploy', metadata: { env: SECRET } } })
  const change = { merge_metadata: true, content: { metadata: { aws_secret_key: `is "${SECRET}", since May` } } }
  const refused = await user.send('PATCH', `/v1/memory/items/${item.id}`, change)
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    422,
    { path: 'content.metadata.aws_secret_key', message: expect.stringContaining('characters 4 to 44') },
  ])
})

test('redact changes that value alone, and leaves metadata that parses', async () => {
  const user = await withMode('redact')
  const metadata = {
    'aws "prod" secret access key': `"${SECRET}"`,
    secret_access_key: { id: SECRET, list: [SECRET, 7, null, true] },
    note: SECRET,
    card: 4_539_148_803_436_467,
  }
  const { status, body } = await user.store({ content: { text: 'deploy', metadata } })
  expect(status).toBe(201)
  expect(body.warnings).toEqual([
    {
      path: 'content.metadata.aws "prod" secret access key',
      code: 'secret_redacted',
      kind: 'aws_secret_key',
      start: 1,
      end: 41,
    },
  ])
  const stored = { ...metadata, 'aws "prod" secret access key': `"${MARK}"` }
  expect(body.content.metadata).toEqual(stored)
  const row = await db.first<{ metadata: string }>('select metadata from memory_items where id = :id', { id: body.id })
  expect(JSON.parse(row?.metadata ?? '')).toEqual(stored)
})
