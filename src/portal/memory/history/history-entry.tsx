import type { Child, FC } from 'hono/jsx'
import { Time } from '../../components/elements.tsx'

interface EntryProps {
  title: string
  /** Null: it is not known. */
  at: string | null
  by?: Child
  children?: Child
}

/** One thing that became of a memory: what, when and by whom. */
export const Entry: FC<EntryProps> = ({ title, at, by, children }) => (
  <li>
    <div class="row">
      <strong>{title}</strong>
      <span class="small muted">
        {at !== null && <Time at={at} />} {by}
      </span>
    </div>
    {children}
  </li>
)
