/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { RerankingModel } from '../../../src/core/models.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { UpdateInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { withAsked } from '../../support/asked-database.ts'
import { travel } from '../../support/clock.ts'
import { useTool } from '../../support/mcp.ts'
import { ctxOf, embedded, find, withTiers } from '../../support/search.ts'
import { addKey, addMember, db, newTenant, system, type Tenant } from '../../support/world.ts'

const QUESTION = 'Which kettle boils water for tea?'
const OPEN = ['the kettle is blue', 'it boils water in a minute', 'tea is in the cupboard', 'rent is due on Monday']
/** Some are better matches than anything that the callers may read. */
const HIDDEN = [QUESTION, 'a kettle boils water', 'the 4711 kettle', 'a garden with a gate', 'tea']
const ELSEWHERE = 'elsewhere'

const rerankingModel: RerankingModel = {
  model: 'test/by-length',
  rerank: async (_, texts) => texts.map((text) => text.length),
}

const MODES = ['keyword', 'semantic', 'hybrid'] as const
const WAYS: readonly Record<string, unknown>[] = [
  { include: ['score_breakdown'] },
  { limit: 2 },
  { filters: { tags: ['kitchen'] } },
  { filters: { NOT: { 'metadata.floor': 2 } } },
  { neighbors: 2 },
  { recency: { half_life_days: 10, weight: 0.3 } },
  { similarity_threshold: 0.3 },
  { rerank: true },
  { context: { namespaces: ['default', 'empty'] } },
]

/** Two of the ways, others in each run. */
const waysOf = (run: number) => [0, 1].map((nth) => WAYS[(2 * run + nth) % WAYS.length] ?? {})

/** What all searches answer a caller, but for the time, and what each of them cost. */
async function asked(ctx: AuthContext, projectId: string, ways: typeof WAYS) {
  const answers: unknown[] = []
  for (const mode of MODES) {
    for (const way of ways) {
      if (mode === 'keyword' && 'similarity_threshold' in way) continue
      const calls: unknown[] = []
      const { own: request, asked: work } = withAsked(ctx)
      // Whether an isolate finds its copy outdated is not the caller's business, but no secret either (contract §3).
      const projectVectors: AuthContext['projectVectors'] = (...project) => {
        const real = ctx.projectVectors(...project)
        return {
          ...real,
          query: async (query) => {
            const answer = await real.query({ ...query, revision: null })
            calls.push(['query', query.limit, answer])
            return answer
          },
          score: async (query, items) => {
            const hits = await real.score(query, items)
            calls.push(['score', items, hits])
            return hits
          },
        }
      }
      const own = withTiers(request, { projectVectors })
      const context = { project_id: projectId, ...(way['context'] as object | undefined) }
      const reply = await find(own, QUESTION, { mode, ...way, context })
      answers.push({ mode, way, reply: { ...reply, took_ms: 0 }, calls, work })
    }
  }
  const { own, asked: work } = withAsked(ctx)
  const page = await list(own, ListInput.parse({ q: 'kettle', project_id: projectId }))
  answers.push({ list: page, work })
  return answers.map((answer) => JSON.stringify(answer))
}

/** The same by the tool of the MCP server, with the key of each caller. */
async function toldByTool(keys: Record<string, string>, projectId: string) {
  const told: Record<string, string> = {}
  for (const [name, key] of Object.entries(keys)) {
    const sent = { headers: { 'X-API-Key': key } }
    const { isError, result, text } = await useTool('search_memories', { query: QUESTION, project_id: projectId }, sent)
    expect(isError, text).toBe(false)
    told[name] = JSON.stringify({ ...result, took_ms: 0, text: text.replace(/"took_ms":\d+/, '') })
  }
  return told
}

/** A project with items that everyone in it may read, and a private one of `member`. */
async function newProject() {
  const owner = await newTenant()
  const { projectId } = owner
  const join = (role: 'viewer' | 'editor') => addMember(owner, role)
  const [viewer, editor, member, other] = [
    await join('viewer'),
    await join('editor'),
    await join('editor'),
    await join('editor'),
  ]
  const context = { project_id: projectId, conversation_id: 'talk' }
  await embedded(ctxOf(owner), OPEN, { context, tags: ['kitchen'], occurred_at: '2026-01-05T10:00:00Z' })
  await embedded(ctxOf(member), ['my own kettle and tea'], {
    visibility: 'private',
    context: { project_id: projectId },
  })
  const key = [{ project_id: projectId, access: 'read' as const, namespaces: ['default'] }]
  const limited = async (user: Tenant) => (await addKey(user, { permissions: key })).secret
  // A range of an index that ends with the table is read without the row behind it.
  await embedded(ctxOf(await newTenant()), ['a lamp'])
  const models = { rerankingModel }
  return {
    projectId,
    other,
    owner,
    memberKeys: { key: await limited(editor), viewer: viewer.key, editor: editor.key, member: member.key },
    managerKeys: { owner: owner.key, key: await limited(owner) },
    members: {
      key: ctxOf(editor, { permissions: key, ...models }),
      viewer: ctxOf(viewer, models),
      editor: ctxOf(editor, models),
      member: ctxOf(member, models),
    },
    managers: { owner: ctxOf(owner, models), key: ctxOf(owner, { permissions: key, ...models }) },
  }
}

type Change =
  | { do: 'store'; texts: string[]; isPrivate: boolean; isElsewhere: boolean }
  | { do: 'change' | 'share' | 'hide' | 'delete'; nth: number; text: string }

/** Changes items of `other` that no caller may read, or none of whose searches covers, and embeds them. */
async function changed(
  { projectId, other, owner }: { projectId: string; other: Tenant; owner: Tenant },
  changes: readonly Change[],
) {
  const ids: string[] = []
  for (const one of changes) {
    const ctx = { ...ctxOf(other), requestId: system.newId('req') }
    const id = one.do === 'store' ? undefined : ids[one.nth % ids.length]
    if (one.do === 'store') {
      const context = { project_id: projectId, ...(one.isElsewhere ? { namespace: ELSEWHERE } : {}) }
      const visibility = one.isPrivate ? 'private' : 'project'
      ids.push(...(await embedded(ctx, one.texts, { context, visibility, tags: ['kitchen'] })))
    } else if (id !== undefined) {
      const input = {
        change: { content: one.text },
        share: { permissions: [{ user_id: owner.userId, access: 'read' }], visibility: 'private' },
        hide: { visibility: 'private' },
        delete: {},
      }[one.do]
      if (one.do === 'delete') {
        await deleteItem(ctx, { id, ifMatch: null })
        ids.splice(ids.indexOf(id), 1)
      } else await update(ctx, { id, input: UpdateInput.parse(input), ifMatch: null })
    }
    await embedItems(ctx, db, ids)
  }
}

async function everyone(callers: Record<string, AuthContext>, projectId: string, ways: typeof WAYS) {
  const all: Record<string, string[]> = {}
  for (const [name, ctx] of Object.entries(callers)) all[name] = await asked(ctx, projectId, ways)
  return all
}

const texts = fc.array(fc.constantFrom(...HIDDEN), { minLength: 1, maxLength: 12 })
const store = (isElsewhere: boolean) =>
  fc.record({
    do: fc.constant('store' as const),
    texts,
    isPrivate: fc.boolean(),
    isElsewhere: fc.constant(isElsewhere),
  })
const other = fc.record({
  do: fc.constantFrom('change' as const, 'share' as const, 'hide' as const, 'delete' as const),
  nth: fc.nat(40),
  text: fc.constantFrom(...HIDDEN),
})

test('contract §3: whatever happens to items that a caller may not read, each search answers the same bytes by the same work', async () => {
  travel(0)
  const hidden = fc.oneof(
    store(true),
    store(false).map((one) => ({ ...one, isPrivate: true })),
  )
  const changes = fc.tuple(hidden, fc.array(fc.oneof(hidden, other), { maxLength: 6 }))
  let runs = 0
  await fc.assert(
    fc.asyncProperty(changes, async ([first, more]) => {
      const project = await newProject()
      const { members, memberKeys, projectId } = project
      const ways = waysOf((runs += 1))
      await everyone(members, projectId, ways)
      const before = await everyone(members, projectId, ways)
      const told = await toldByTool(memberKeys, projectId)
      await changed(project, [first, ...more])
      expect(await everyone(members, projectId, ways)).toEqual(before)
      expect(await toldByTool(memberKeys, projectId)).toEqual(told)
    }),
    { numRuns: 5 },
  )
})

test('contract §3: items of another namespace change nothing for an owner either, nor for a key of one', async () => {
  travel(0)
  const elsewhere = store(true).map((one) => ({ ...one, isPrivate: false }))
  const changes = fc.tuple(
    elsewhere,
    fc.array(
      fc.oneof(
        elsewhere,
        other.filter((one) => one.do === 'change' || one.do === 'delete'),
      ),
      { maxLength: 4 },
    ),
  )
  let runs = 0
  await fc.assert(
    fc.asyncProperty(changes, async ([first, more]) => {
      const project = await newProject()
      const { managers, managerKeys, projectId } = project
      const ways = waysOf((runs += 1))
      await everyone(managers, projectId, ways)
      const before = await everyone(managers, projectId, ways)
      const told = await toldByTool(managerKeys, projectId)
      await changed(project, [first, ...more])
      expect(await everyone(managers, projectId, ways)).toEqual(before)
      expect(await toldByTool(managerKeys, projectId)).toEqual(told)
    }),
    { numRuns: 3 },
  )
})

test('contract §3: 300 hidden items that match best crowd nothing out, and nobody asks again', async () => {
  travel(0)
  const project = await newProject()
  const { members, projectId } = project
  const ways = WAYS.slice(0, 1)
  await everyone(members, projectId, ways)
  const before = await everyone(members, projectId, ways)
  const hidden = Array.from({ length: 300 }, (_, nth) => `${QUESTION} ${nth}`)
  await changed(project, [{ do: 'store', texts: hidden, isPrivate: true, isElsewhere: false }])
  expect(await everyone(members, projectId, ways)).toEqual(before)
})
