import { z } from 'zod'
import { listProjectsEndpoint, type Project } from '../../identity/index.ts'
import { tool } from './tool.ts'

/** Projects in one page. */
const PAGE = 100

export const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects that memories can be stored in, newest first. Call it before you name a project_id.',
  effect: 'reads',
  operation: listProjectsEndpoint,
  target: 'none',
  hidden: 'bound',
  input: {
    cursor: z.string().min(1).max(1024).optional().meta({ description: 'next_cursor from the previous page.' }),
  },
  output: z.looseObject({
    projects: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.string() })),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  ask: ({ cursor }) => ({ query: { cursor, limit: PAGE } }),
  result: ({ body }: { body: { data: Project[]; has_more: boolean; next_cursor: string | null } }) => ({
    projects: body.data.map(({ id, name, description, workspace_id }) => ({ id, name, description, workspace_id })),
    has_more: body.has_more,
    next_cursor: body.next_cursor,
  }),
})
