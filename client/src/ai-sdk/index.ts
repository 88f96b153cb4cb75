export { memoryMiddleware, type MemoryMiddlewareOptions } from './middleware.ts'
export { memoryTools, type MemoryTools, type MemoryToolsOptions } from './tools.ts'
