import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { isAppError } from '../core/errors.ts'
import { codePoints } from '../core/values/code-points.ts'
import { listItemsEndpoint, retrieveEndpoint, type MemoryItem } from '../memory/index.ts'
import { bytesFor } from './budget/cost.ts'
import { offsetOf, partFrom } from './budget/part.ts'
import { shownOf } from './budget/shown.ts'
import type { McpCall } from './call.ts'
import { showableMemory } from './tools/memory.ts'
import { authorshipOf, retirementOf } from './tools/stored.ts'

const RECENT = 'memory://recent'
/** Items in a list of recent ones. */
const RECENT_ITEMS = 20

/** The resources that have one address for everybody. */
export const listResources = (projectId: string | null) => [
  {
    uri: RECENT,
    name: 'recent',
    title: 'Recent memories',
    description: `The ${RECENT_ITEMS} newest memories of ${projectId === null ? 'the default project' : 'this project'}.`,
    mimeType: 'application/json',
  },
]

export const listTemplates = (projectId: string | null) => [
  {
    uriTemplate: 'memory://{id}',
    name: 'memory',
    title: 'A memory',
    description: 'The text of one memory. Of a long one, ?offset=N reads on.',
  },
  ...(projectId === null
    ? [
        {
          uriTemplate: 'memory://projects/{project_id}/recent',
          name: 'project-recent',
          title: 'Recent memories of a project',
          description: `The ${RECENT_ITEMS} newest memories of a project.`,
          mimeType: 'application/json',
        },
      ]
    : []),
]

interface Contents extends Record<string, unknown> {
  contents: { uri: string; mimeType: string; text: string; _meta?: Record<string, unknown> }[]
}

/** Reads a resource through the operation behind it. Absent, foreign and hidden ones are the same -32602. */
export async function readResource(call: McpCall, uri: string): Promise<Contents> {
  const [, id, offset = '0'] = /^memory:\/\/(mem_\w{1,60})(?:\?offset=(\d{1,6}))?$/.exec(uri) ?? []
  const [, named] = /^memory:\/\/projects\/(\w{1,64})\/recent$/.exec(uri) ?? []
  try {
    if (id !== undefined) return await readItem(call, uri, { id, offset: Number(offset) })
    if (uri === RECENT) return await readRecent(call, uri, call.projectId)
    if (named !== undefined && call.projectId === null) return await readRecent(call, uri, named)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
  }
  throw new ResourceNotFoundError(uri)
}

/** A text of a resource stands in an answer once, and costs at most half as much as in a result. */
const MAX_COST = bytesFor()

async function readItem(call: McpCall, uri: string, { id, offset }: { id: string; offset: number }): Promise<Contents> {
  const { body } = await call.run(retrieveEndpoint, { query: { id } })
  const item = body as MemoryItem
  const { text, type } = item.content
  const { start, end } = partFrom(text, offsetOf(text, offset), 2 * MAX_COST)
  const part = {
    truncated: true,
    text_length: codePoints(text),
    offset: codePoints(text.slice(0, start)),
    next_offset: end === text.length ? null : codePoints(text.slice(0, end)),
  }
  const _meta = {
    ...retirementOf(item),
    ...authorshipOf(item, await call.readerOf([item])),
    ...(end - start === text.length ? {} : part),
  }
  return { contents: [{ uri, mimeType: shownType(type), text: text.slice(start, end), _meta }] }
}

/** Nobody may choose a type that a client would render or run. */
const shownType = (type: string): string => (/^text\/markdown(?:;|$)/i.test(type) ? 'text/markdown' : 'text/plain')

async function readRecent(call: McpCall, uri: string, projectId: string | null): Promise<Contents> {
  const { body } = await call.run(listItemsEndpoint, {
    query: { project_id: projectId ?? undefined, namespace: '*', limit: RECENT_ITEMS },
  })
  const { data } = body as { data: MemoryItem[] }
  const reader = await call.readerOf(data)
  const memories = shownOf(
    data.map((item) => showableMemory(item, reader)),
    MAX_COST,
  )
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ memories }) }] }
}
