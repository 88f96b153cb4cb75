import { chatRoute } from './chat-page.tsx'
import { conversationsRoute } from './conversations.tsx'
import { namespacesRoute } from './namespaces.tsx'

export { Chat } from './chat.tsx'
export { chatPath } from './chat-path.ts'
export { EmptyList } from './empty-list.tsx'
export { ProjectFilter } from './project-filter.tsx'
export { MemoryTabs } from './tabs.tsx'
export const memoryListRoutes = [namespacesRoute, conversationsRoute, chatRoute]
