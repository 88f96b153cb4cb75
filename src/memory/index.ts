import { deleteItemEndpoint } from './delete.ts'
import { getItemEndpoint, retrieveEndpoint } from './retrieve.ts'
import { storeEndpoint } from './store.ts'
import { updateItemEndpoint } from './update.ts'

export const memoryEndpoints = [
  storeEndpoint,
  retrieveEndpoint,
  getItemEndpoint,
  updateItemEndpoint,
  deleteItemEndpoint,
]
export type { MemoryItem } from './item.ts'
