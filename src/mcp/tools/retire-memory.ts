import { retireItemEndpoint, type MemoryItem, type MemoryItemWritten } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { authorIn, shownWritten, WrittenMemoryOutput } from './memory.ts'
import { tool } from './tool.ts'

export const retireMemory = tool({
  name: 'retire_memory',
  title: 'Retire a memory',
  description:
    'Retires a memory that is no longer true and that nothing replaces. It is kept, no search finds it, and restore_memory brings it back.',
  effect: 'marks',
  operation: retireItemEndpoint,
  target: 'item',
  input: { id: shared.id, reason: shared.reason.optional() },
  output: WrittenMemoryOutput,
  authored: authorIn,
  ask: ({ id, reason }) => ({ params: { id }, body: { reason } }),
  result: ({ body }: { body: MemoryItem | MemoryItemWritten }, _, { reader }) => shownWritten(body, reader),
})
