import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { depsOf } from '../src/deps.ts'

const configOf = (vars: Record<string, string>) => depsOf({ ...env, ...vars })(() => {}).config

const systemOf = (vars: object) => depsOf({ ...env, ...vars })(() => {})

test('the reranker is the one of RERANK_URL, else Workers AI where it is bound, else none', () => {
  const ai = { AI: { run: () => Promise.reject(new Error('not called')) } }
  expect(systemOf({}).reranker).toBeNull()
  expect(systemOf(ai).reranker?.model).toBe('@cf/baai/bge-reranker-base')
  const url = { RERANK_URL: 'https://models.test/v1/rerank' }
  expect(systemOf({ ...ai, ...url, RERANK_MODEL: 'jina-reranker-v3' }).reranker?.model).toBe('jina-reranker-v3')
  expect(systemOf(url).reranker?.model).toBe('rerank')
})

test('a RERANK_URL that is no address is a fault that does not tell it, and there is no reranker', () => {
  for (const RERANK_URL of ['models.test/rerank', 'ftp://user:pw@models.test', 'x']) {
    const { config, reranker } = systemOf({ RERANK_URL })
    expect([config.faults, reranker]).toEqual([['RERANK_URL must be an http or https address'], null])
  }
  expect(systemOf({ RERANK_URL: '' }).config.faults).toEqual([])
})

test('variables that loosen a rule work under local alone; elsewhere they are ignored and named', () => {
  const loose = {
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    ALLOW_LOOPBACK_REDIRECTS: 'true',
    ALLOW_PRIVATE_CLIENT_DOCUMENTS: 'true',
    LIMITS_FACTOR: '10',
  }
  expect(configOf({ ...loose, ENVIRONMENT: 'local' })).toMatchObject({
    allowPrivateWebhooks: true,
    allowLoopbackRedirects: true,
    allowPrivateClientDocuments: true,
    faults: [],
  })
  expect(configOf({ ...loose, ENVIRONMENT: 'production' })).toMatchObject({
    allowPrivateWebhooks: false,
    allowLoopbackRedirects: false,
    allowPrivateClientDocuments: false,
    faults: [
      'ALLOW_LOOPBACK_REDIRECTS is for local use only',
      'ALLOW_PRIVATE_WEBHOOKS is for local use only',
      'ALLOW_PRIVATE_CLIENT_DOCUMENTS is for local use only',
      'LIMITS_FACTOR is for local use only',
    ],
  })
})

test('SIGNUPS is open, first or closed; another word closes and is a fault, and none closes', () => {
  for (const word of ['open', 'first', 'closed'] as const) expect(configOf({ SIGNUPS: word }).signups).toBe(word)
  for (const word of ['OPEN', 'yes', 'first '])
    expect(configOf({ SIGNUPS: word })).toMatchObject({
      signups: 'closed',
      faults: ['SIGNUPS must be one of open, first, closed'],
    })
  expect(configOf({ SIGNUPS: '' })).toMatchObject({ signups: 'closed', faults: [] })
})

test('a quota that is no number is none, and a fault', () => {
  expect(configOf({ QUOTA_ITEMS: '10', QUOTA_PROJECTS: '0' })).toMatchObject({
    quotas: { items: 10, projects: 0 },
    faults: [],
  })
  expect(configOf({ QUOTA_ITEMS: 'ten' })).toMatchObject({
    quotas: { items: null, projects: null },
    faults: ['QUOTA_ITEMS must be a whole number from 0 to 999999999'],
  })
})

test('CLIENT_REGISTRATION is open unless it says closed; another word closes it and is named', () => {
  const of = (vars: Record<string, string>) => {
    const { openClientRegistration, faults } = configOf(vars)
    return { openClientRegistration, faults }
  }
  expect(of({})).toEqual({ openClientRegistration: true, faults: [] })
  expect(of({ CLIENT_REGISTRATION: 'open' })).toEqual({ openClientRegistration: true, faults: [] })
  expect(of({ CLIENT_REGISTRATION: 'closed' })).toEqual({ openClientRegistration: false, faults: [] })
  expect(of({ CLIENT_REGISTRATION: 'no' })).toEqual({
    openClientRegistration: false,
    faults: ['CLIENT_REGISTRATION must be one of open, closed'],
  })
})

test('CLIENT_DOCUMENTS is on unless it says off; another word switches them off and is named', () => {
  const of = (vars: Record<string, string>) => {
    const { clientDocuments, faults } = configOf(vars)
    return { clientDocuments, faults }
  }
  expect(of({})).toEqual({ clientDocuments: true, faults: [] })
  expect(of({ CLIENT_DOCUMENTS: 'on' })).toEqual({ clientDocuments: true, faults: [] })
  expect(of({ CLIENT_DOCUMENTS: 'off' })).toEqual({ clientDocuments: false, faults: [] })
  expect(of({ CLIENT_DOCUMENTS: 'no' })).toEqual({
    clientDocuments: false,
    faults: ['CLIENT_DOCUMENTS must be one of on, off'],
  })
})

/** What each kind of Durable Object is asked for with, where the variable has this value. */
async function placementsWith(vars: Record<string, string>, shard = '00') {
  const asked: Record<string, unknown[]> = {}
  const watched = <T extends Rpc.DurableObjectBranded>(kind: string, real: DurableObjectNamespace<T>) =>
    new Proxy(real, {
      get: (_, name) =>
        name === 'getByName'
          ? (id: string, ...options: [DurableObjectNamespaceGetDurableObjectOptions?]) => {
              asked[kind] = options
              return real.getByName(id, ...options)
            }
          : Reflect.get(real, name),
    })
  const system = depsOf({
    ...env,
    ...vars,
    ...(shard === '00' ? {} : { [`DB_${shard}`]: env.DB, [`AUDIT_DB_${shard}`]: env.AUDIT_DB }),
    USER_HUB: watched('hub', env.USER_HUB),
    LIMITER: watched('limiter', env.LIMITER),
    PROJECT_VECTORS: watched('vectors', env.PROJECT_VECTORS),
    CLIENT_DOCUMENT: watched('documents', env.CLIENT_DOCUMENT),
  })(() => {})
  system.hub(`${shard}placed`)
  await system.limiter.release('anonymous', 'placed', 0)
  await system.projectVectors('placed', shard).items(1)
  await system.clientDocuments.kept('https://placed.example/client.json')
  return { asked, faults: system.config.faults }
}

test('every Durable Object is asked for with DATA_REGION as its location hint, and without one where there is none', async () => {
  const there = [{ locationHint: 'weur' }]
  expect(await placementsWith({ DATA_REGION: 'weur' })).toEqual({
    asked: { hub: there, limiter: there, vectors: there, documents: there },
    faults: [],
  })
  const anywhere = { hub: [undefined], limiter: [undefined], vectors: [undefined], documents: [undefined] }
  expect(await placementsWith({})).toEqual({ asked: anywhere, faults: [] })
  expect(await placementsWith({ DATA_REGION: '' })).toEqual({ asked: anywhere, faults: [] })
  expect(await placementsWith({ DATA_REGION: 'europe' })).toEqual({
    asked: anywhere,
    faults: [expect.stringMatching(/^DATA_REGION must be one of wnam, enam, /)],
  })
})

test('SHARD_REGIONS places the hubs and projects of each shard, and leaves the others to DATA_REGION', async () => {
  const anywhere = { limiter: [undefined], documents: [undefined] }
  const near = [{ locationHint: 'apac' }]
  expect(await placementsWith({ SHARD_REGIONS: '00:apac' })).toEqual({
    asked: { ...anywhere, hub: near, vectors: near },
    faults: [],
  })
  expect(await placementsWith({ SHARD_REGIONS: '00:apac,01:enam' }, '01')).toMatchObject({
    asked: { hub: [{ locationHint: 'enam' }], vectors: [{ locationHint: 'enam' }] },
  })
  const there = [{ locationHint: 'sam' }]
  expect(await placementsWith({ SHARD_REGIONS: '00:apac', DATA_REGION: 'sam' })).toEqual({
    asked: { hub: near, vectors: near, limiter: there, documents: there },
    faults: [],
  })
  expect(await placementsWith({ SHARD_REGIONS: '00:moon' })).toEqual({
    asked: { ...anywhere, hub: [undefined], vectors: [undefined] },
    faults: [
      expect.stringMatching(
        /^SHARD_REGIONS must be entries such as 00:weur, and entry 1 does not have one of the regions wnam, /,
      ),
    ],
  })
})

test('the variables choose the embedder; a fault is told, and the embedded model stands in', () => {
  const system = (vars: Record<string, string>) => depsOf({ ...env, ...vars })(() => {})
  expect(system({}).embedder).toMatchObject({ model: 'embedded/recollect-static-en-v1', dimension: 256 })
  const url = { EMBEDDINGS_URL: 'http://models.test/v1/embeddings', EMBEDDINGS_MODEL: 'minilm' }
  expect(system(url).embedder).toMatchObject({ model: 'openai/minilm', dimension: null })
  expect(system({ ...url, EMBEDDER: 'embedded' }).embedder.model).toMatch(/^embedded/)
  const faulty = system({ EMBEDDER: 'workers-ai' })
  expect(faulty.embedder.model).toMatch(/^embedded/)
  expect(faulty.config.faults).toEqual(['EMBEDDER is workers-ai, but there is no AI binding'])
})

test('a misspelt variable and an old name are told at start, without their values', () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => told.mockRestore())
  const vars: Record<string, string> = { EMBEDDING_URL: 'http://secret.test', EMBEDDING_MODEL: 'old' }
  depsOf({ ...env, ...vars })
  const lines = told.mock.calls.map(([line]) => String(line))
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ notice: 'EMBEDDING_URL is not a variable of the service. Did you mean EMBEDDINGS_URL?' }),
    expect.objectContaining({ notice: 'EMBEDDING_MODEL is now called WORKERS_AI_MODEL; the old name still works' }),
  ])
  expect(lines.join()).not.toContain('secret.test')
})
