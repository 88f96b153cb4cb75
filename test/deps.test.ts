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
    misplaced: [],
  })
  expect(configOf({ ...loose, ENVIRONMENT: 'production' })).toMatchObject({
    allowPrivateWebhooks: false,
    allowLoopbackRedirects: false,
    misplaced: ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR'],
  })
})
