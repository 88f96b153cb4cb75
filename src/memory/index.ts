import { batchEndpoint } from './batch-endpoint.ts'
import { bulkDeleteEndpoint } from './bulk-delete.ts'
import { deleteItemEndpoint } from './delete.ts'
import { embedAgainEndpoint } from './embed-again.ts'
import { exportEndpoint } from './export.ts'
import { importEndpoint } from './import.ts'
import { listItemsEndpoint } from './list.ts'
import { searchEndpoint } from './search.ts'
import { getItemEndpoint, retrieveEndpoint } from './retrieve.ts'
import { storeEndpoint } from './store.ts'
import { updateItemEndpoint } from './update.ts'
import { versionsEndpoint } from './versions.ts'
import { usageEndpoint } from './usage.ts'

export { embedJobs, embedSweeps } from './embed-jobs.ts'
export { expirySweep } from './expire.ts'
export { wordSweep } from './merge-words.ts'
export { purgeJobs, purgeSweep } from './purge.ts'

export const memoryEndpoints = [
  searchEndpoint,
  listItemsEndpoint,
  embedAgainEndpoint,
  storeEndpoint,
  retrieveEndpoint,
  batchEndpoint,
  getItemEndpoint,
  updateItemEndpoint,
  deleteItemEndpoint,
  versionsEndpoint,
  bulkDeleteEndpoint,
  exportEndpoint,
  importEndpoint,
  usageEndpoint,
]
export type { MemoryItem } from './item.ts'
export type { Usage } from './usage.ts'
export type { SearchReply } from './search.ts'
export type { Version } from './versions.ts'
export type { Report as ImportReport } from './import.ts'
