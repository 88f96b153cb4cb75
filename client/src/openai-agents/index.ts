export { recollectSession, type RecollectSessionOptions } from './session.ts'
export { memoryTools, type MemoryToolsOptions } from './tools.ts'
