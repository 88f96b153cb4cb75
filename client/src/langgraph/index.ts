export { RecollectStore, type RecollectStoreOptions } from './store.ts'
export { recallNode, type RecallNodeOptions } from './recall-node.ts'
