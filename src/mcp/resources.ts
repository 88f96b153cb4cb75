import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { isAppError } from '../core/errors.ts'
import { listItemsEndpoint, retrieveEndpoint, type MemoryItem } from '../memory/index.ts'
import type { McpCall } from './call.ts'
import { toMemory } from './tools/memory.ts'

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
  { uriTemplate: 'memory://{id}', name: 'memory', title: 'A memory', description: 'The text of one memory.' },
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
  contents: { uri: string; mimeType: string; text: string }[]
}

/** Reads a resource through the operation behind it. Absent, foreign and hidden ones are the same -32602. */
export async function readResource(call: McpCall, uri: string): Promise<Contents> {
  const [, id] = /^memory:\/\/(mem_\w{1,60})$/.exec(uri) ?? []
  const [, named] = /^memory:\/\/projects\/(\w{1,64})\/recent$/.exec(uri) ?? []
  try {
    if (id !== undefined) return await readItem(call, uri, id)
    if (uri === RECENT) return await readRecent(call, uri, call.projectId)
    if (named !== undefined && call.projectId === null) return await readRecent(call, uri, named)
  } catch (error) {
    if (!isAppError(error) || error.code !== 'not_found') throw error
  }
  throw new ResourceNotFoundError(uri)
}

async function readItem(call: McpCall, uri: string, id: string): Promise<Contents> {
  const { body } = await call.run(retrieveEndpoint, { query: { id } })
  const { content } = body as MemoryItem
  return { contents: [{ uri, mimeType: content.type, text: content.text }] }
}

async function readRecent(call: McpCall, uri: string, projectId: string | null): Promise<Contents> {
  const { body } = await call.run(listItemsEndpoint, {
    query: { project_id: projectId ?? undefined, namespace: '*', limit: RECENT_ITEMS },
  })
  const { data } = body as { data: MemoryItem[] }
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ memories: data.map(toMemory) }) }] }
}
