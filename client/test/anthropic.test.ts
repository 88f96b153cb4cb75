import { exports } from 'cloudflare:workers'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { expect, test } from 'vitest'
import { memoryHandlers, type MemoryHandlersOptions } from '../src/anthropic/index.ts'
import { Recollect } from '../src/index.ts'
import { newWriter, writerFor, type Writer } from '../../test/support/memory.ts'
import { addMember } from '../../test/support/world.ts'

const clientOf = (user: Writer, before?: (request: Request) => Promise<void>): Recollect =>
  new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: user.headers['X-Session-Token'] ?? '' },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      await before?.(request)
      return exports.default.fetch(request)
    },
  })

async function newTool(options: Partial<MemoryHandlersOptions> = {}) {
  const user = await newWriter()
  const recollect = clientOf(user)
  return { user, recollect, tool: betaMemoryTool(memoryHandlers({ recollect, ...options })) }
}

const refused = (message: string): ToolError => new ToolError(message)

test('a file is an item: its path is the custom_id, a search finds it, and its earlier text stays', async () => {
  const context = { namespace: 'agent:ada' }
  const { recollect, tool } = await newTool({ context, tags: ['notes'] })
  await tool.run({ command: 'create', path: '/memories/people/ada.md', file_text: 'Ada drinks tea.' })
  await tool.run({ command: 'str_replace', path: '/memories/people/ada.md', old_str: 'tea', new_str: 'coffee' })
  const { results } = await recollect.memory.search({ query: 'coffee', mode: 'keyword', context })
  expect(results).toMatchObject([{ custom_id: 'people/ada.md', tags: ['notes'], version: 2 }])
  const { data } = await recollect.memory.versions(results[0]?.id ?? '')
  expect(data).toMatchObject([{ text: 'Ada drinks tea.' }])
  expect((await recollect.memory.list()).data).toEqual([])
})

test('an old_str may span lines, and stands once in the file', async () => {
  const { tool } = await newTool()
  await tool.run({ command: 'create', path: '/memories/a', file_text: 'one\ntwo\nthree one one' })
  const replace = (old_str: string) => tool.run({ command: 'str_replace', path: '/memories/a', old_str, new_str: '2' })
  await expect(replace('one')).rejects.toEqual(
    refused(
      'No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 3. Please ensure it is unique',
    ),
  )
  await expect(replace('')).rejects.toEqual(refused('No replacement was performed, because old_str is empty.'))
  expect(await replace('one\ntwo')).toContain('\n     1\t2\n     2\tthree one one')
})

test('each line is named once, and two matches in one line are two', async () => {
  const { tool } = await newTool()
  const many = `${'x'.repeat(30_000)}\n\n${'x'.repeat(30_000)}`
  await tool.run({ command: 'create', path: '/memories/a', file_text: `${many}\nyy` })
  const replace = (old_str: string) => tool.run({ command: 'str_replace', path: '/memories/a', old_str, new_str: '2' })
  await expect(replace('x')).rejects.toThrow('in lines: 1, 3. Please')
  await expect(replace('y')).rejects.toThrow('in lines: 4. Please')
})

test('a path in another form of Unicode is the same file', async () => {
  const { tool } = await newTool()
  await tool.run({ command: 'create', path: '/memories/cafe\u0301', file_text: 'x' })
  expect(await tool.run({ command: 'view', path: '/memories/caf\u00e9' })).toContain('     1\tx')
  await expect(tool.run({ command: 'create', path: '/memories/caf\u00e9', file_text: 'y' })).rejects.toThrow(
    'already exists',
  )
})

test.each(['/memories/..', '/memories/../etc/passwd', '/memories/a/../../x', '/memories/a/../b'])(
  'no path has `..`: %s',
  async (path) => {
    const { tool } = await newTool()
    const escaping = refused(`Path ${path} would escape /memories directory`)
    await expect(tool.run({ command: 'view', path })).rejects.toEqual(escaping)
    await expect(tool.run({ command: 'create', path, file_text: 'x' })).rejects.toEqual(escaping)
    await expect(tool.run({ command: 'rename', old_path: '/memories/a', new_path: path })).rejects.toEqual(escaping)
  },
)

test.each(['/etc/passwd', 'memories/a', '/memoriesa', ''])('a path starts with /memories: "%s"', async (path) => {
  const { tool } = await newTool()
  await expect(tool.run({ command: 'view', path })).rejects.toEqual(
    refused(`Path must start with /memories, got: ${path}`),
  )
})

test('a path has 128 characters at most, also of what a renamed folder holds', async () => {
  const { tool } = await newTool()
  const longest = '🫖'.repeat(126)
  await tool.run({ command: 'create', path: `/memories/a/${longest}`, file_text: 'x' })
  const create = tool.run({ command: 'create', path: `/memories/ab/${longest}`, file_text: 'x' })
  await expect(create).rejects.toThrow('has 129 characters below /memories/. At most 128 are possible.')
  const rename = tool.run({ command: 'rename', old_path: '/memories/a', new_path: '/memories/ab' })
  await expect(rename).rejects.toThrow('has 129 characters below /memories/.')
})

test('a file is not empty, and has 65,536 characters at most', async () => {
  const { tool } = await newTool()
  const path = '/memories/a'
  const empty = refused('The file /memories/a cannot be empty. Delete it, or give it a text.')
  await expect(tool.run({ command: 'create', path, file_text: '' })).rejects.toEqual(empty)
  const long = 'x'.repeat(65_536)
  await expect(tool.run({ command: 'create', path, file_text: `${long}x` })).rejects.toThrow('65537 characters')
  await tool.run({ command: 'create', path, file_text: 'x' })
  await expect(tool.run({ command: 'str_replace', path, old_str: 'x', new_str: '' })).rejects.toEqual(empty)
  await expect(tool.run({ command: 'insert', path, insert_line: 1, insert_text: long })).rejects.toThrow(
    'The file /memories/a would have 65538 characters. At most 65536 are possible: divide it.',
  )
})

async function filled(recollect: Recollect, count: number): Promise<void> {
  const files = Array.from({ length: count }, (_, n) => ({ content: `text ${n}`, custom_id: `many/${n}` }))
  for (let at = 0; at < count; at += 50)
    await recollect.memory.batch({ operations: files.slice(at, at + 50).map((file) => ({ op: 'store', ...file })) })
}

test('a folder is renamed and deleted as a whole, up to 50 files', async () => {
  const { recollect, tool } = await newTool()
  await filled(recollect, 50)
  const before = (await recollect.memory.list({ limit: 100 })).data
  await tool.run({ command: 'rename', old_path: '/memories/many', new_path: '/memories/x/y' })
  const after = (await recollect.memory.list({ limit: 100 })).data
  expect(after.map(({ id, custom_id, version }) => [id, custom_id, version])).toEqual(
    before.map(({ id, custom_id }) => [id, custom_id?.replace('many', 'x/y'), 2]),
  )
  await tool.run({ command: 'delete', path: '/memories/x' })
  expect((await recollect.memory.list()).data).toEqual([])
})

test('a folder of 51 files stays as it is', async () => {
  const { recollect, tool } = await newTool()
  await filled(recollect, 51)
  const tooMany = refused('The folder /memories/many has 51 files. At most 50 can change at once.')
  await expect(tool.run({ command: 'delete', path: '/memories/many' })).rejects.toEqual(tooMany)
  const rename = tool.run({ command: 'rename', old_path: '/memories/many', new_path: '/memories/few' })
  await expect(rename).rejects.toEqual(tooMany)
  expect((await recollect.memory.list({ limit: 100 })).data).toHaveLength(51)
})

test('of two that make one file at once, one makes it', async () => {
  const { tool } = await newTool()
  const path = '/memories/a'
  const made = await Promise.allSettled(
    ['one', 'two'].map(async (file_text) => tool.run({ command: 'create', path, file_text })),
  )
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: refused('File /memories/a already exists'),
  })
})

/** A tool whose file another request changes before each of its first `times` changes. */
async function contested(times: number) {
  const user = await newWriter()
  const { body } = await user.store({ content: 'tea', custom_id: 'a' })
  let changes = 0
  const recollect = clientOf(user, async ({ method }) => {
    if (method !== 'PATCH' || changes === times) return
    changes += 1
    await user.send('PATCH', `/v1/memory/items/${body.id}`, { content: `tea\nother ${changes}` })
  })
  const textNow = async () => (await user.get(body.id)).body.content.text
  return { tool: betaMemoryTool(memoryHandlers({ recollect })), textNow }
}

test('an edit that meets another one is made on what is there by then, three times at most', async () => {
  const { tool, textNow } = await contested(2)
  await tool.run({ command: 'str_replace', path: '/memories/a', old_str: 'tea', new_str: 'coffee' })
  expect(await textNow()).toBe('coffee\nother 2')
  const never = await contested(3)
  const insert = never.tool.run({ command: 'insert', path: '/memories/a', insert_line: 0, insert_text: 'x' })
  await expect(insert).rejects.toEqual(refused('The file /memories/a kept changing. View it, and try again.'))
  expect(await never.textNow()).toBe('tea\nother 3')
})

test('the paths of a retired and of a hidden file are taken, and the tool says so', async () => {
  const { user, recollect, tool } = await newTool()
  const { id } = await recollect.memory.store({ content: 'x', custom_id: 'retired' })
  await recollect.memory.retire(id)
  await expect(tool.run({ command: 'view', path: '/memories/retired' })).rejects.toThrow('does not exist')
  const create = tool.run({ command: 'create', path: '/memories/retired', file_text: 'y' })
  await expect(create).rejects.toThrow('belongs to a file that was retired')

  const editor = await writerFor(await addMember(user, 'editor'))
  await recollect.memory.store({ content: 'x', custom_id: 'hidden', visibility: 'private' })
  const context = { project_id: user.projectId }
  const others = betaMemoryTool(memoryHandlers({ recollect: clientOf(editor), context }))
  const taken = others.run({ command: 'create', path: '/memories/hidden', file_text: 'y' })
  await expect(taken).rejects.toThrow('belongs to a file that you cannot access')
})

test('items without a path are no files', async () => {
  const { recollect, tool } = await newTool()
  await recollect.memory.store({ content: 'x' })
  for (const custom_id of ['a//b', '/a', '../a', 'a/']) await recollect.memory.store({ content: 'x', custom_id })
  expect(await tool.run({ command: 'view', path: '/memories' })).toMatch(/:\n0B\t\/memories$/)
})

test('an empty id in the context is a TypeError', async () => {
  const { recollect } = await newTool()
  expect(() => memoryHandlers({ recollect, context: { namespace: 'chat:' } })).toThrow(TypeError)
})
