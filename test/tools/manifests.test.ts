import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'

interface Manifest {
  name: string
  version: string
  private?: boolean
  dependencies?: Record<string, string>
  devDependencies: Record<string, string>
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
const service = manifestOf('.')
const client = manifestOf('client')

test('service and client are two packages with one version', () => {
  expect(service).toMatchObject({ name: 'recollect-service', private: true })
  expect(client.name).toBe('recollect')
  expect(client.version).toBe(service.version)
})

test('a package that both need has one version', () => {
  const ofService = { ...service.dependencies, ...service.devDependencies }
  const both = Object.keys(client.devDependencies).filter((name) => name in ofService)
  expect(both).toContain('ws')
  for (const name of both) expect(`${name} ${client.devDependencies[name]}`).toBe(`${name} ${ofService[name]}`)
})
