import { z } from 'zod'
import { SearchInput, searchEndpoint, type SearchReply } from '../../memory/index.ts'
import { titleOf, urlOf } from './document.ts'
import { authorship, authorshipOf, stored } from './stored.ts'
import { tool } from './tool.ts'

/** One of the two tools that some clients demand, in the form that they demand. */
export const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Searches the memories of this user; read a result with fetch. Call it when something from before could matter.',
  effect: 'reads',
  toolset: 'search',
  operation: searchEndpoint,
  target: 'project',
  input: { query: SearchInput.shape.query.meta({ description: 'What to look for, in plain words.' }) },
  output: z.looseObject({
    results: z.array(z.looseObject({ id: z.string(), title: stored.title, url: z.string(), ...authorship })),
  }),
  authored: ({ results }: SearchReply) => results,
  ask: ({ query }, { projectId }) => ({
    body: { query, ...(projectId === null ? {} : { context: { project_id: projectId } }) },
  }),
  result: ({ body }: { body: SearchReply }, _, { origin, reader }) => ({
    results: body.results.map((item) => ({
      id: item.id,
      title: titleOf(item),
      url: urlOf(item, origin),
      ...authorshipOf(item, reader),
    })),
  }),
})
