import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { expect, test } from 'vitest'
import { findSecrets } from '../../src/memory/guard/find/find-secrets.ts'
import { Seeded } from '../support/secrets/random.ts'
import { makeSecret } from '../support/secrets/secrets.ts'
import { around } from '../support/secrets/settings.ts'

/** The rules of the preset that the tables of the guard cover. */
const COVERED = [
  '1password',
  'anthropic',
  'aws',
  'basicauth',
  'cloudflare',
  'database-connection-string',
  'databricks',
  'docker',
  'figma',
  'gcp',
  'github',
  'gitlab',
  'grafana',
  'groq',
  'hashicorp-vault',
  'huggingface',
  'linear',
  'notion',
  'npm',
  'openai',
  'privatekey',
  'sendgrid',
  'shopify',
  'slack',
  'stripe',
  'tailscale',
  'vercel',
]
/** It lets a text switch the search off. */
const LEFT_OUT = 'filter-comments'

const nameOf = (id: string): string => id.replace('@secretlint/secretlint-rule-', '')

test('every rule of the preset is known: a new one needs a line in the tables of the guard', () => {
  expect(rules.map(({ meta }) => nameOf(meta.id)).toSorted()).toEqual([...COVERED, LEFT_OUT].toSorted())
})

/** The places that the rules of the preset report in a text. */
async function reported(content: string): Promise<[start: number, end: number][]> {
  const places: [number, number][] = []
  const context = {
    createTranslator: () => (messageId: string) => ({ message: messageId, messageId }),
    report: ({ range }: { range: readonly [number, number] }) => places.push([range[0], range[1]]),
    ignore: () => undefined,
  }
  for (const rule of rules) {
    if (nameOf(rule.meta.id) === LEFT_OUT) continue
    const { file } = rule.create(context, {})
    await file?.({ content, filePath: '', ext: '', contentType: 'text' })
  }
  return places
}

test('the guard finds what the rules of the preset find', async () => {
  const r = new Seeded(1)
  let compared = 0
  for (let number = 0; number < 400; number += 1) {
    const text = around(r, makeSecret(r, number).written)
    const found = findSecrets(text)
    for (const [start, end] of await reported(text)) {
      compared += 1
      expect(
        found.some((one) => one.start < end && start < one.end),
        text.slice(start, end),
      ).toBe(true)
    }
  }
  expect(compared).toBeGreaterThan(50)
})
