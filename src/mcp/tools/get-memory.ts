import { retrieveEndpoint, type MemoryItem } from '../../memory/index.ts'
import { bytesFor } from '../budget/cost.ts'
import { shared } from './arguments.ts'
import { MemoryOutput, showableMemory } from './memory.ts'
import { readFrom } from './read-from.ts'
import { tool } from './tool.ts'

export const getMemory = tool({
  name: 'get_memory',
  title: 'Get a memory',
  description:
    'Reads one memory by its id, such as an id in left_out. Of a long text it returns a part: pass next_offset as offset to read on.',
  effect: 'reads',
  operation: retrieveEndpoint,
  target: 'item',
  input: { id: shared.id, offset: shared.offset, max_tokens: shared.tokens },
  output: MemoryOutput,
  authored: (item: MemoryItem) => [item],
  ask: ({ id }) => ({ query: { id } }),
  result: ({ body }: { body: MemoryItem }, { offset, max_tokens }, { reader }) =>
    readFrom(showableMemory(body, reader), offset, bytesFor(max_tokens)),
})
