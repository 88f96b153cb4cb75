import { expect, test } from 'vitest'
import { useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { Seeded } from '../support/secrets/random.ts'
import { githubToken } from '../support/secrets/secrets.ts'

const TOKEN = githubToken(new Seeded(2))

test('tools that write list what the guard found, and say why it refused (contract §3)', async () => {
  const user = await newWriter()
  const use = (name: string, args: Record<string, unknown>) => useTool(name, args, { headers: user.headers })
  const warning = { path: 'content.text', kind: 'github_token', start: 0, end: 40 }
  const stored = await use('store_memory', { content: TOKEN })
  expect(stored.result.warnings).toEqual([{ ...warning, code: 'secret_found' }])

  const guard = (direct: string) =>
    user.send('PATCH', `/v1/projects/${user.projectId}`, { guard: { secrets: { direct } } })
  await guard('redact')
  const updated = await use('update_memory', { id: stored.result.id, content: `${TOKEN}!` })
  expect(updated.result).toMatchObject({
    content: '[secret: github_token]!',
    warnings: [{ ...warning, code: 'secret_redacted' }],
  })
  expect((await use('store_memory', { content: 'The kettle is blue.' })).result).not.toHaveProperty('warnings')

  await guard('refuse')
  const refused = await use('store_memory', { content: TOKEN })
  expect(refused.text).toBe('validation_failed: content.text: A secret was found (github_token, characters 0 to 40).')
})
