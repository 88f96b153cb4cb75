// Node loads this before wrangler's own file (`--import`): wrangler ends with the process that has started it.
import { whenStarterEnds } from './starter.ts'

whenStarterEnds(() => process.kill(process.pid, 'SIGTERM'))
