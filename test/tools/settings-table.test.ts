import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { experimental_readRawConfig } from 'wrangler'
import { SETTINGS } from '../../src/settings/table.ts'
import { staleSettings, withBindings, withSettings } from '../../tools/settings-table.ts'
import { ROOT } from '../../tools/wrangler.ts'

const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, 'wrangler.toml') })
const vars = rawConfig.vars ?? {}
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

test('the documents say what the settings say', () => {
  expect(staleSettings(ROOT)).toEqual([])
})

test('the table has each setting once, and replaces what was there', () => {
  const document = '# A\n\n### Variables\n\n| variable |\n| --- |\n| `GONE` |\n\nbehind\n\n| another |\n'
  const text = withSettings(document)
  const names = [...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(SETTINGS))
  expect(text).toMatch(/^# A\n\n### Variables\n\n\| variable /)
  expect(text).toMatch(/\|\n\nbehind\n\n\| another \|\n$/)
  expect(withSettings(text)).toBe(text)
})

test('a row says whether a setting is a secret or for local use', () => {
  const text = withSettings('### Variables\n\n| variable |\n')
  expect(text).toMatch(/^\| `METRICS_TOKEN`, a secret +\|/m)
  expect(text).toMatch(/^\| `LIMITS_FACTOR`, locally +\| 1 +\| Multiplies every rate limit\. +\|$/m)
  expect(text).toMatch(/^\| `SIGNUPS` +\|/m)
})

test('the button describes its variables as the settings do, without links that lead nowhere there', () => {
  const { bindings } = JSON.parse(withBindings(read('package.json'))).cloudflare
  for (const name of Object.keys(vars)) {
    const { description } = SETTINGS[name as keyof typeof SETTINGS]
    expect(bindings[name]).toEqual({ description })
    expect(description).not.toMatch(/\]\((?!https:)/)
  }
  expect(withBindings('      "SIGNUPS": {\n        "description": "old"')).not.toContain('old')
  expect(withBindings('      "DB": {\n        "description": "old"')).toContain('old')
})

test('the default of a variable that wrangler.toml sets is what it sets', () => {
  for (const [name, value] of Object.entries(vars))
    expect(SETTINGS[name as keyof typeof SETTINGS].default.replaceAll(/`|<!--.*/g, '')).toBe(value)
})

test('wrangler.toml, [env.local] and the example of secrets name settings alone', () => {
  const local = Object.keys(rawConfig.env?.['local']?.vars ?? {})
  const secrets = (rawConfig as { secrets?: { required?: string[] } }).secrets?.required ?? []
  expect([...Object.keys(vars), ...local, ...secrets].filter((name) => !(name in SETTINGS))).toEqual([])
})
