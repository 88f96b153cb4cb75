export { SharedEmbedder } from './embedder.ts'
export { SharedReranker } from './reranker.ts'
