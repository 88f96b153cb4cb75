import { createApp } from './app.ts'
import { sweep } from './cron.ts'
import { consume } from './consumer.ts'

export { UserHub } from './hub/user-hub.do.ts'
export { Limiter } from './backends/limiter/limiter-shard.do.ts'
export { ClientDocument } from './backends/client-documents/client-document.do.ts'
export { ProjectVectors } from './backends/project-vectors/project-vectors.do.ts'

const app = createApp()

export default {
  fetch: (request, env, execution) => app.fetch(request, env, execution),
  queue: consume,
  scheduled: sweep,
} satisfies ExportedHandler<Env>
