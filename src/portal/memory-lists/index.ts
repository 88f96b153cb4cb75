import { chatRoute } from './chat-page.tsx'
import { conversationsRoute } from './conversations.tsx'
import { namespacesRoute } from './namespaces.tsx'

export { Chat } from './chat.tsx'
export { chatPath } from './chat-path.ts'
export { MemoryList } from './memory-list.tsx'
export { MemoryTabs } from './tabs.tsx'
export const memoryListRoutes = [namespacesRoute, conversationsRoute, chatRoute]
