import { restoreItemEndpoint, type MemoryItem, type MemoryItemWritten } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { authorIn, shownWritten, WrittenMemoryOutput } from './memory.ts'
import { tool } from './tool.ts'

export const restoreMemory = tool({
  name: 'restore_memory',
  title: 'Restore a memory',
  description: 'Makes a retired memory current again, so that searches find it.',
  effect: 'marks',
  operation: restoreItemEndpoint,
  target: 'item',
  input: { id: shared.id },
  output: WrittenMemoryOutput,
  authored: authorIn,
  ask: ({ id }) => ({ params: { id } }),
  result: ({ body }: { body: MemoryItem | MemoryItemWritten }, _, { reader }) => shownWritten(body, reader),
})
