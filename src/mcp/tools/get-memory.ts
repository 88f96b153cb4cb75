import { retrieveEndpoint, type MemoryItem } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { MemoryOutput, toMemory } from './memory.ts'
import { tool } from './tool.ts'

export const getMemory = tool({
  name: 'get_memory',
  title: 'Get a memory',
  description: 'Reads one memory by its id, such as an id in left_out.',
  effect: 'reads',
  operation: retrieveEndpoint,
  target: 'item',
  input: { id: shared.id },
  output: MemoryOutput,
  ask: ({ id }) => ({ query: { id } }),
  result: ({ body }: { body: MemoryItem }) => toMemory(body),
})
