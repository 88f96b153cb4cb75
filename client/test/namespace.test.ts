import { describe, expect, test } from 'vitest'
import { memoryMiddleware, memoryTools } from '../src/ai-sdk/index.ts'
import { escapeId } from '../src/escape-id.ts'
import { RecollectStore } from '../src/langgraph/index.ts'
import { namespaceOf } from '../src/namespace.ts'
import { Namespace } from '../../src/core/namespace.ts'
import { newWriter } from '../../test/support/memory.ts'
import { clientOf } from './support.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-@|+/'

describe('an id in the alphabet of namespaces', () => {
  test.each([
    ['alex@example.com', 'alex@example.com'],
    ['auth0|5f7c8ec7', 'auth0|5f7c8ec7'],
    ['did:plc:ewvi7nxz', 'did:plc:ewvi7nxz'],
    [ALPHABET, ALPHABET],
    ['a=b', 'a=3Db'],
    ['a b', 'a=20b'],
    ['*', '=2A'],
    ['Zoë', 'Zo=C3=AB'],
    ['日🙂', '=E6=97=A5=F0=9F=99=82'],
    ['\0\n\u007f', '=00=0A=7F'],
    ['=h', '=3Dh'],
    ['\u00e9', '=C3=A9'],
    ['e\u0301', 'e=CC=81'],
  ])('%j is %s', (id, escaped) => {
    expect(escapeId(id)).toBe(escaped)
  })

  test('is accepted by the service, whatever characters it has', async () => {
    const ids = ['🙂'.repeat(500), ' ', '~!#$%&\'()*,;<>?[\\]^`{}"', 'x'.repeat(10_000), ALPHABET.repeat(3)]
    for (const id of ids) expect(Namespace.safeParse(await namespaceOf('user', id)).success, id).toBe(true)
  })

  test.each([[''], ['a\ud83d'], ['\ude42b'], [undefined], [7]])('throws for %j', async (id) => {
    await expect(namespaceOf('user', id as string)).rejects.toThrow(TypeError)
  })
})

describe('a name above 128 characters', () => {
  test('keeps its beginning and ends with =h and 22 characters of base64url; one of 128 stays whole', async () => {
    const whole = await namespaceOf('user', 'x'.repeat(123))
    expect(whole).toBe(`user:${'x'.repeat(123)}`)
    const cut = await namespaceOf('user', 'x'.repeat(124))
    // The SHA-256 of `user:` and 124 x, by openssl.
    expect(cut).toBe(`user:${'x'.repeat(99)}=h6m8eH62XrdjbDX6uDa0r0A`)
    expect(cut).toHaveLength(128)
  })

  test('of two ids that differ in one character behind the cut there are two', async () => {
    const long = 'x'.repeat(200)
    const names = await Promise.all(['a', 'b', 'A'].map((end) => namespaceOf('user', `${long}${end}`)))
    expect(new Set(names).size).toBe(3)
  })

  test.each([0, 1, 2, 3])('is never cut within an escape, %i characters before it', async (shift) => {
    const name = await namespaceOf(`${'x'.repeat(shift + 1)}${'é'.repeat(60)}`)
    expect(name.length).toBeLessThanOrEqual(128)
    expect(name).toMatch(/^x+(=[\dA-F]{2})+=h[\w-]{22}$/)
  })
})

test('an id of a user finds what was stored under it, and another user’s does not', async () => {
  const user = await newWriter()
  const [one, two] = await Promise.all(['alex@example.com', 'alex=example.com'].map((id) => namespaceOf('user', id)))
  await user.store({ content: 'A blue kettle.', context: { namespace: one } })
  const found = async (namespace = '') => {
    const { body } = await user.send('POST', '/api/memory/search', { query: 'kettle', context: { namespace } })
    return body.results.length
  }
  expect([await found(one), await found(two)]).toEqual([1, 0])
})

describe('an adapter throws for an empty id when it is made', () => {
  const { client: recollect } = clientOf([])
  const onError = () => {}
  test.each([
    { namespace: '' },
    { namespace: 'chat:' },
    { namespace: ':ada' },
    { namespace: 'a::b' },
    { project_id: '' },
  ])('of the AI SDK: %j', (context) => {
    expect(() => memoryMiddleware({ recollect, context, onError })).toThrow(TypeError)
    expect(() => memoryTools({ recollect, context })).toThrow(TypeError)
  })

  test.each([{ conversation_id: '' }, { session_id: '' }])('of the middleware: %j', (context) => {
    expect(() => memoryMiddleware({ recollect, context, onError })).toThrow(TypeError)
  })

  test('of LangGraph', () => {
    expect(() => new RecollectStore({ recollect, projectId: '' })).toThrow('projectId is ""')
  })

  test('and takes the others', () => {
    memoryMiddleware({ recollect, onError })
    memoryMiddleware({ recollect, context: { namespace: 'chat:ada' }, onError })
    memoryTools({ recollect, context: { namespace: 'ada', project_id: 'prj_1' } })
    expect(new RecollectStore({ recollect, projectId: 'prj_1' })).toBeInstanceOf(RecollectStore)
  })
})
