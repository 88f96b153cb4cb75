import { applyRetentionEndpoint } from './operations/apply-retention.ts'
import { batchEndpoint } from './operations/batch.ts'
import { bulkDeleteEndpoint } from './operations/bulk-delete.ts'
import { deleteItemEndpoint } from './operations/delete.ts'
import { embedAgainEndpoint } from './operations/embed-again.ts'
import { exportEndpoint } from './operations/export.ts'
import { importEndpoint } from './operations/import.ts'
import { listItemsEndpoint } from './operations/list.ts'
import { namespacesEndpoint } from './operations/namespaces.ts'
import { recallEndpoint } from './recall/recall.ts'
import { searchEndpoint } from './operations/search.ts'
import { restoreItemEndpoint } from './retirement/restore.ts'
import { retireItemEndpoint } from './retirement/retire.ts'
import { getItemEndpoint, retrieveEndpoint } from './operations/retrieve.ts'
import { storeEndpoint } from './operations/store.ts'
import { subjectsEndpoint } from './operations/subjects.ts'
import { updateItemEndpoint } from './operations/update.ts'
import { versionsEndpoint } from './operations/versions.ts'
import { deleteConversationEndpoint } from './conversations/delete.ts'
import { getConversationEndpoint } from './conversations/get.ts'
import { ingestEndpoint } from './conversations/ingest.ts'
import { listConversationsEndpoint } from './conversations/list.ts'
import { getErasureEndpoint } from './erasures/get.ts'
import { listErasuresEndpoint } from './erasures/list.ts'
import { eraseEndpoint } from './erasures/request.ts'
import { usageEndpoint } from './operations/usage.ts'

export { embedConsumer } from './embedding/consumer.ts'
export { otherModels, OUTDATED, UNEMBEDDED } from './embedding/pending-sql.ts'
export { backlogSweep } from './embedding/count-backlog.ts'
export { filingSweep } from './embedding/file-vectors.ts'
export { isUnfiled } from './embedding/filing-sql.ts'
export { embedSweep } from './embedding/sweep.ts'
export { expirySweep } from './purge/expire.ts'
export { isDue } from './keyword/index-form.ts'
export { lacksSpeaker } from './speakers/file-speakers.ts'
export { segmentSweep } from './keyword/merge-segments.ts'
export { reindexSweep } from './keyword/reindex.ts'
export { repeatSweep } from './erasures/repeat.ts'
export { rewriteSweep } from './erasures/rewrite.ts'
export { receiptSweep } from './erasures/store-receipts.ts'
export { purgeConsumer } from './purge/consumer.ts'
export { purgeSweep } from './purge/sweep.ts'

/** The reference shows them in this order. */
export const memoryEndpoints = [
  storeEndpoint,
  searchEndpoint,
  retrieveEndpoint,
  recallEndpoint,
  listItemsEndpoint,
  namespacesEndpoint,
  subjectsEndpoint,
  embedAgainEndpoint,
  batchEndpoint,
  getItemEndpoint,
  updateItemEndpoint,
  deleteItemEndpoint,
  retireItemEndpoint,
  restoreItemEndpoint,
  versionsEndpoint,
  bulkDeleteEndpoint,
  exportEndpoint,
  importEndpoint,
  ingestEndpoint,
  listConversationsEndpoint,
  getConversationEndpoint,
  deleteConversationEndpoint,
  usageEndpoint,
  applyRetentionEndpoint,
  eraseEndpoint,
  listErasuresEndpoint,
  getErasureEndpoint,
]
export {
  deleteItemEndpoint,
  listItemsEndpoint,
  restoreItemEndpoint,
  retireItemEndpoint,
  retrieveEndpoint,
  searchEndpoint,
  storeEndpoint,
  updateItemEndpoint,
}
export { ReadContext } from './filter/read-context.ts'
export { itemParts, type MemoryItem } from './item.ts'
export type { MemoryItemWritten } from './item-written.ts'
export { recallEndpoint }
export { RecallInput, type RecallReply } from './recall/recall-schema.ts'
export { markedWords } from './search/marked-words.ts'
export { placeOf } from './search/snippet.ts'
export { SearchInput } from './search/search-schema.ts'
export type { RetentionApplied } from './operations/apply-retention.ts'
export type { Usage } from './operations/usage.ts'
export type { SearchReply } from './search/search-schema.ts'
export type { Version } from './operations/versions.ts'
export type { Erasure } from './erasures/erasure.ts'
export type { DryRun as ErasureDryRun } from './erasures/request.ts'
export type { MemoryConversation } from './conversations/list.ts'
export type { MemoryNamespace } from './operations/namespaces.ts'
export type { MemorySubject } from './operations/subjects.ts'
export type { Report as ImportReport } from './operations/import.ts'
