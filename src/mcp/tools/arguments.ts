import { z } from 'zod'
import { itemParts, ReadContext } from '../../memory/index.ts'

/** The arguments that several tools share. Their bounds are those of the REST API. */
export const shared = {
  id: z.string().min(1).max(64).meta({ description: 'Id of the memory: mem_….' }),
  content: itemParts.text.meta({
    description: 'The text to remember: one fact, in a sentence that makes sense on its own.',
  }),
  tags: itemParts.tags.meta({ description: 'Up to 32 labels, such as people or topics.' }),
  metadata: itemParts.metadata.meta({ description: 'Structured data to store with the text, at most 16 KiB.' }),
  project_id: itemParts.project_id.optional().meta({
    description: 'Project id from list_projects (default: the default project).',
  }),
  ttl: itemParts.ttl.meta({ description: 'Seconds until the memory is forgotten.' }),
  namespace: itemParts.namespace
    .optional()
    .meta({ description: 'Part of the project to store in (default: "default").' }),
  readNamespace: ReadContext.shape.namespace.meta({
    description: 'Part of the project to search in (default: "default"); "*" for all.',
  }),
}
