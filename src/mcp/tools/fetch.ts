import { z } from 'zod'
import { retrieveEndpoint, type MemoryItem } from '../../memory/index.ts'
import { bytesFor } from '../budget/cost.ts'
import { shared } from './arguments.ts'
import { titleOf, urlOf } from './document.ts'
import { fromStart, partFields } from './memory.ts'
import { readFrom } from './read-from.ts'
import { authorship, authorshipOf, retirement, retirementOf, stored } from './stored.ts'
import { tool } from './tool.ts'

/** The other one of the two tools that some clients demand. */
export const fetchDocument = tool({
  name: 'fetch',
  title: 'Fetch',
  description:
    'Reads one result of search in full. Of a long text it returns a part: pass next_offset as offset to read on.',
  effect: 'reads',
  toolset: 'search',
  operation: retrieveEndpoint,
  target: 'item',
  input: { id: shared.id, offset: shared.offset, max_tokens: shared.tokens },
  output: z.looseObject({
    id: z.string(),
    title: stored.title,
    text: stored.text,
    url: z.string(),
    metadata: stored.metadata,
    ...retirement,
    ...authorship,
    ...partFields,
  }),
  authored: (item: MemoryItem) => [item],
  ask: ({ id }) => ({ query: { id } }),
  result: ({ body }: { body: MemoryItem }, { offset, max_tokens }, { origin, reader }) => {
    const whole = {
      id: body.id,
      title: titleOf(body),
      text: body.content.text,
      url: urlOf(body, origin),
      metadata: body.content.metadata,
      ...retirementOf(body),
      ...authorshipOf(body, reader),
    }
    return readFrom({ whole, textIn: 'text', partOf: fromStart }, offset, bytesFor(max_tokens))
  },
})
