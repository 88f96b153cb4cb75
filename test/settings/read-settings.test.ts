import { expect, test } from 'vitest'
import { readSettings } from '../../src/settings/index.ts'
import { SETTINGS } from '../../src/settings/table.ts'
import { CANARY, FAULTY } from '../support/faulty-settings.ts'

const SHARDS = ['00', '01']
const read = (vars: Record<string, unknown>) => readSettings('Worker', { ENVIRONMENT: 'local', ...vars }, SHARDS)
const absent = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, one]) => [name, name === 'ENVIRONMENT' ? 'local' : one.absent]),
)

test('settings that are not set, or empty, have their values by default', () => {
  expect(read({})).toEqual({ values: absent, faults: [] })
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))
  expect(readSettings('Worker', empty, SHARDS)).toEqual({
    values: { ...absent, ENVIRONMENT: 'production' },
    faults: [],
  })
})

/** What a faulty setting is, where that is not what an absent one is: nothing opens, and no other model embeds or reranks. */
const SAFE = {
  ENVIRONMENT: 'production',
  CLIENT_REGISTRATION: 'closed',
  CLIENT_DOCUMENTS: 'off',
  EMBEDDER: 'embedded',
  EMBEDDINGS_URL: '',
  RERANK_URL: '',
}

test.each(Object.entries(FAULTY))('a faulty %s has no effect, and is one line without its value', (name, text) => {
  const { values, faults } = read({ [name]: text })
  expect(values).toEqual({ ...absent, ...Object.fromEntries(Object.entries(SAFE).filter(([one]) => one === name)) })
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} must .*[^.]$`))])
  expect(faults.join()).not.toMatch(new RegExp(`${CANARY}|sk-|\n`))
})

test('each faulty setting has its line, in the order of the table', () => {
  const { faults } = read({ ...FAULTY, ENVIRONMENT: 'local' })
  expect(faults.map((line) => line.split(' ')[0])).toEqual(Object.keys(SETTINGS).slice(1))
})

test.each(Object.keys(SETTINGS))('%s must be a text', (name) => {
  for (const value of [10, true, { a: 1 }])
    expect(read({ [name]: value }).faults).toEqual([`${name} must be a text: put quotes around it`])
})

test('a variable for local use only has no effect elsewhere, whatever it says', () => {
  const names = Object.entries(SETTINGS).flatMap(([name, { kind }]) => (kind === 'local' ? [name] : []))
  expect(names).toHaveLength(4)
  for (const ENVIRONMENT of ['production', '', 'Local'])
    for (const name of names)
      expect(readSettings('Worker', { ENVIRONMENT, [name]: 'true' }, SHARDS)).toEqual({
        values: { ...absent, ENVIRONMENT: 'production' },
        faults: [
          ...(ENVIRONMENT === 'Local' ? ['ENVIRONMENT must be one of production, local'] : []),
          `${name} is for local use only`,
        ],
      })
})

test('an old name works where the new one is not set, and its fault has the name that was set', () => {
  expect(read({ EMBEDDING_MODEL: 'old', EMBEDDING_DIMENSION: '768' }).values).toMatchObject({
    WORKERS_AI_MODEL: 'old',
    WORKERS_AI_DIMENSION: 768,
  })
  expect(read({ EMBEDDING_MODEL: 'old', WORKERS_AI_MODEL: 'new' }).values.WORKERS_AI_MODEL).toBe('new')
  expect(read({ EMBEDDING_DIMENSION: 'many' }).faults).toEqual([
    'EMBEDDING_DIMENSION must be a whole number from 1 to 16384',
  ])
})

test('a Durable Object reads its own settings by the same rules', () => {
  const vars = { ENVIRONMENT: 'local', LIMITS: 'read=30', SERVICE_ACCOUNT_LIMITS: 'read=many', LIMITS_FACTOR: '10' }
  expect(readSettings('UserHub', vars)).toEqual({
    values: { LIMITS: { read: 30 }, SERVICE_ACCOUNT_LIMITS: {}, DATA_KEYS: null, LIMITS_FACTOR: 10 },
    faults: ['SERVICE_ACCOUNT_LIMITS must set read to a whole number from 1 to 1000'],
  })
  expect(readSettings('Limiter', vars).values).toEqual({ LIMITS_FACTOR: 10 })
  expect(readSettings('Limiter', { ...vars, ENVIRONMENT: 'production' }).values).toEqual({ LIMITS_FACTOR: 1 })
  expect(readSettings('ProjectVectors', { VECTOR_CACHE_MB: '144' }).values).toEqual({ VECTOR_CACHE_MB: 144 })
})
