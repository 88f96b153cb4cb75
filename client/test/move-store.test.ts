import { exports } from 'cloudflare:workers'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'
import page from '../../docs/coming-from.md?raw'
import { Recollect } from '../src/index.ts'
import { RecollectStore } from '../src/langgraph/index.ts'
import { newWriter } from '../../test/support/memory.ts'
import { moveStore } from './move-store.ts'

test('the block of docs/coming-from.md moves each item, and stores of several pages', async () => {
  const [, block = ''] = /## LangGraph store[^]*?```ts\n([^]*?)```/.exec(page) ?? []
  expect(block).not.toBe('')
  const { default: program } = await import('./move-store.ts?raw')
  expect(program).toContain(block.replaceAll(/^(?=.)/gm, '  '))

  const { headers } = await newWriter()
  const recollect = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: headers['X-Session-Token'] ?? '' },
    fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  })
  const [old, store] = [new InMemoryStore(), new RecollectStore({ recollect })]
  await old.put(['users', 'ada'], 'allergy', { text: 'Ada is allergic to peanuts.', since: 2_019 })
  await old.put(['users', 'ben'], 'drink', { text: 'Ben drinks tea.' })
  await moveStore(old, store)
  expect(await store.listNamespaces()).toEqual(await old.listNamespaces())
  expect(await store.get(['users', 'ada'], 'allergy')).toMatchObject({
    value: { text: 'Ada is allergic to peanuts.', since: 2_019 },
  })

  const [pages, copy] = [new InMemoryStore(), new InMemoryStore()]
  for (let nth = 0; nth < 201; nth += 1) await pages.put(['many'], `key-${nth}`, { nth })
  await moveStore(pages, copy)
  expect(await copy.search([], { limit: 300 })).toHaveLength(201)
})
