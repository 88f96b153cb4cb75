import { z } from 'zod'
import { deleteItemEndpoint } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { tool } from './tool.ts'

export const deleteMemory = tool({
  name: 'delete_memory',
  title: 'Delete a memory',
  description: 'Deletes one memory permanently. Call it only when the user asks you to forget something.',
  effect: 'deletes',
  operation: deleteItemEndpoint,
  target: 'item',
  input: { id: shared.id },
  output: z.looseObject({ id: z.string(), deleted: z.boolean() }),
  ask: ({ id }) => ({ params: { id } }),
  result: (_, { id }) => ({ id, deleted: true }),
})
