export { memoryHandlers, type MemoryHandlersOptions } from './handlers.ts'
