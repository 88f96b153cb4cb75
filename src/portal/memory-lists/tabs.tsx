import type { FC } from 'hono/jsx'

const LISTS = [
  { path: '/portal/memory', label: 'Memories' },
  { path: '/portal/conversations', label: 'Conversations' },
  { path: '/portal/erasures/subjects', label: 'Subjects' },
  { path: '/portal/namespaces', label: 'Namespaces' },
] as const
export type ListPath = (typeof LISTS)[number]['path']

/** The lists of what one project remembers. */
export const MemoryTabs: FC<{ current: ListPath; projectId: string }> = (props) => (
  <nav class="tabs" aria-label="Lists">
    {LISTS.map(({ path, label }) => (
      <a
        href={`${path}?${new URLSearchParams({ project_id: props.projectId }).toString()}`}
        aria-current={path === props.current ? 'true' : undefined}
      >
        {label}
      </a>
    ))}
  </nav>
)
