export { RecollectStore, type RecollectStoreOptions } from './store.ts'
