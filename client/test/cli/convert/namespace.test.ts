import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namespaceOf } from '../../../src/namespace.ts'
import { readNamespace } from '../../../src/cli/convert/namespace.ts'
import { openSource, type SourceOptions } from '../../../src/cli/convert/source.ts'
import { NOW, testIo } from '../support/io.ts'

async function namespacesOf(records: object[], of: Omit<SourceOptions, 'numbersAsText'>) {
  const { io, home } = testIo()
  const source = join(home, 'export.json')
  await writeFile(source, JSON.stringify(records))
  const found = []
  for await (const one of (await openSource(io, source, { ...of, numbersAsText: false }, NOW)).records())
    found.push('reason' in one ? one.reason : JSON.parse(one.line).context.namespace)
  return found
}

test('a namespace of mem0 names fields of each memory; one without them is left out', async () => {
  const memories = [
    { memory: 'x', user_id: 'ada' },
    { memory: 'x', user_id: 'ada lovelace' },
    { memory: 'x', user_id: 'a/b:c' },
    { memory: 'x', agent_id: 'cook' },
  ]
  expect(await namespacesOf(memories, { format: 'mem0', namespace: 'user:{user_id}' })).toEqual([
    'user:ada',
    'user:ada=20lovelace',
    'user:a/b:c',
    'it has no user_id for --namespace, or more than one',
  ])
  expect(await namespacesOf(memories.slice(0, 1), { format: 'mem0', namespace: 'v1.2' })).toEqual(['v1.2'])
  // As the client names it.
  expect(await namespaceOf('user', 'ada lovelace')).toBe('user:ada=20lovelace')
})

test('Supermemory knows a user by the metadata, or by its only container tag', async () => {
  const documents = [
    { content: 'x', containerTags: ['user_1'] },
    { content: 'x', containerTags: ['user_1', 'project_2'], metadata: { user_id: 'ada' } },
    { content: 'x', containerTags: ['user_1', 'project_2'], userId: 'owner' },
  ]
  expect(await namespacesOf(documents, { format: 'supermemory', namespace: 'user:{user_id}' })).toEqual([
    'user:user_1',
    'user:ada',
    'it has no user_id for --namespace, or more than one',
  ])
  expect(await namespacesOf(documents.slice(0, 1), { format: 'supermemory', namespace: '{container_tag}' })).toEqual([
    'user_1',
  ])
})

test('names that are too long for a namespace stay apart, as those of the client', async () => {
  const place = readNamespace('user:{user_id}', ['user_id'])
  const ids = ['1', '2'].map((end) => `${'x'.repeat(200)}${end}`)
  const names = await Promise.all(ids.map(async (user_id) => place({ user_id })))
  expect(names).toEqual(await Promise.all(ids.map(async (id) => ({ namespace: await namespaceOf('user', id) }))))
  expect(names[0]).not.toEqual(names[1])
})

test.each([
  ['user:{user}', 'mem0', 'contains {user}, which this format does not have'],
  ['{user_id}', 'markdown', 'contains {user_id}, which this format does not have'],
  ['two words', 'mem0', 'can contain only letters'],
  ['user:{user_id', 'mem0', 'can contain only letters'],
  ['', 'mem0', 'must have 1 to 128 characters'],
  ['notes', 'jsonl', 'each line names its own'],
] as const)('--namespace %j for %s is refused', async (namespace, format, message) => {
  await expect(namespacesOf([{ memory: 'x' }], { format, namespace })).rejects.toThrow(message)
})
