import type { BaseStore } from '@langchain/langgraph-checkpoint'

/** The block of docs/coming-from.md that moves a store of LangGraph, as a function. */
export async function moveStore(old: BaseStore, store: BaseStore): Promise<void> {
  for (let offset = 0, full = true; full; offset += 100) {
    const items = await old.search([], { limit: 100, offset })
    for (const { namespace, key, value } of items) await store.put(namespace, key, value)
    full = items.length === 100
  }
}
