import type { FC } from 'hono/jsx'

/** Line icons on a 16-unit grid. They stand beside a text and are hidden from screen readers. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5h-3V9.5H6v4H3a.5.5 0 0 1-.5-.5z',
  memory:
    'M8 2.5c3 0 5.5 1 5.5 2.3S11 7 8 7 2.5 6 2.5 4.8 5 2.5 8 2.5zM2.5 4.8V8c0 1.3 2.5 2.3 5.5 2.3s5.5-1 5.5-2.3V4.8M2.5 8v3.2c0 1.3 2.5 2.3 5.5 2.3s5.5-1 5.5-2.3V8',
  key: 'M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 8.3l5.8-5.8M11.3 4.7l2 2',
  project: 'M2.5 4a1 1 0 0 1 1-1h3l1.5 1.8h4.5a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.5.6 2.5 1.8 2.5 3.6',
  events: 'M1.5 8h2.7L6 3l3.5 10L11.5 8h3',
  webhook: 'M5.5 6.5 8 2.5l2.5 4M4.5 13.5H2l2.5-4.3M11.5 13.5H14l-2.5-4.3M6.5 13.5h3',
  app: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM11.3 9v4.5M9 11.3h4.5',
  agent: 'M3.5 5.5h9v7h-9zM8 5.5v-3M6 8.5v1.2M10 8.5v1.2M1.5 8v2M14.5 8v2',
  link: 'M6.5 9.5 9.5 6.5M7 4.5l1.3-1.3a2.7 2.7 0 0 1 4 4L11 8.5M9 11.5l-1.3 1.3a2.7 2.7 0 0 1-4-4L5 7.5',
  usage: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  erase: 'M9 13.5h5M6 13.5 2.5 10l7-7L14 7.5l-6 6zM6 6.5 10.5 11',
  audit: 'M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  copy: 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3',
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM11 11l3.5 3.5',
  book: 'M8 4.5c-1.5-1-3.5-1.3-5.5-1v9c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1v-9c-2-.3-4 0-5.5 1zM8 4.5v9',
} as const

export type IconName = keyof typeof PATHS

export const Icon: FC<{ name: IconName; class?: string }> = ({ name, class: className }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" class={className}>
    <path d={PATHS[name]} />
  </svg>
)
