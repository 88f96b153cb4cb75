import { z } from 'zod'
import type { Page } from '../../core/http/cursor.ts'
import { listProjectsEndpoint, type Project } from '../../identity/index.ts'
import { bytesFor } from '../budget/cost.ts'
import type { Showable } from '../budget/shown.ts'
import { fromStart, partFields } from './memory.ts'
import { shownPage } from './shown-page.ts'
import { authorship, authorshipOf, stored, type Reader } from './stored.ts'
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
    projects: z.array(
      z.looseObject({
        id: z.string(),
        name: stored.name,
        description: stored.description,
        workspace_id: z.string(),
        ...authorship,
        truncated: partFields.truncated.meta({ description: 'Only if the description is a part.' }),
        text_length: partFields.text_length,
      }),
    ),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  authored: ({ data }: Page<Project>) => data,
  ask: ({ cursor }) => ({ query: { cursor, limit: PAGE } }),
  result: ({ body }: { body: Page<Project> }, _, { reader }) =>
    shownPage('projects', body, (project) => showableProject(project, reader), bytesFor()),
})

const showableProject = (project: Project, reader: Reader): Showable => {
  const { id, name, description, workspace_id } = project
  const whole = { id, name, description, workspace_id, ...authorshipOf(project, reader) }
  return { whole, textIn: 'description', partOf: fromStart, isPreview: true }
}
