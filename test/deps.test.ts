import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { depsOf } from '../src/deps.ts'

const configOf = (vars: Record<string, string>) => depsOf({ ...env, ...vars })(() => {}).config

test('PUBLIC_HOSTS names hosts in any case, separated by commas or spaces; without it there are none', () => {
  expect(configOf({ PUBLIC_HOSTS: 'API.example.com, recollect.example.workers.dev' }).publicHosts).toEqual([
    'api.example.com',
    'recollect.example.workers.dev',
  ])
  expect(configOf({}).publicHosts).toEqual([])
})

test('variables that loosen a rule work under local alone; elsewhere they are ignored and named', () => {
  const loose = { ALLOW_PRIVATE_WEBHOOKS: 'true', ALLOW_LOOPBACK_REDIRECTS: 'true', LIMITS_FACTOR: '10' }
  expect(configOf({ ...loose, ENVIRONMENT: 'local' })).toMatchObject({
    allowPrivateWebhooks: true,
    allowLoopbackRedirects: true,
    faults: [],
  })
  expect(configOf({ ...loose, ENVIRONMENT: 'production' })).toMatchObject({
    allowPrivateWebhooks: false,
    allowLoopbackRedirects: false,
    faults: [
      'ALLOW_LOOPBACK_REDIRECTS is for local use only',
      'ALLOW_PRIVATE_WEBHOOKS is for local use only',
      'LIMITS_FACTOR is for local use only',
    ],
  })
})

/** What each kind of Durable Object is asked for with, where the variable has this value. */
async function placementsWith(vars: Record<string, string>) {
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
    USER_HUB: watched('hub', env.USER_HUB),
    LIMITER: watched('limiter', env.LIMITER),
    PROJECT_VECTORS: watched('vectors', env.PROJECT_VECTORS),
  })(() => {})
  system.hub('00placed')
  await system.limiter.release('anonymous', 'placed', 0)
  await system.projectVectors('placed').items(1)
  return { asked, faults: system.config.faults }
}

test('every Durable Object is asked for with DATA_REGION as its location hint, and without one where there is none', async () => {
  const there = [{ locationHint: 'weur' }]
  expect(await placementsWith({ DATA_REGION: 'weur' })).toEqual({
    asked: { hub: there, limiter: there, vectors: there },
    faults: [],
  })
  const anywhere = { hub: [undefined], limiter: [undefined], vectors: [undefined] }
  expect(await placementsWith({})).toEqual({ asked: anywhere, faults: [] })
  expect(await placementsWith({ DATA_REGION: '' })).toEqual({ asked: anywhere, faults: [] })
  expect(await placementsWith({ DATA_REGION: 'europe' })).toEqual({
    asked: anywhere,
    faults: [expect.stringMatching(/^DATA_REGION is "europe", which is none of wnam, enam, /)],
  })
})
