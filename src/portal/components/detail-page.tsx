import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { PageContext } from '../page-context.ts'
import { Shell } from './shell.tsx'

interface DetailPageProps {
  ctx: PageContext
  /** The kind of resource. */
  title: string
  /** The heading, which is a client's text. */
  name: string
  /** The list that the page leads back to. */
  list: { href: string; label: string }
  actions?: Child
  narrow?: boolean
  children?: Child
}

/** Letters of a heading that fit a phone in one line. */
const LONG = 24

/** The page of one resource. */
export const DetailPage: FC<DetailPageProps> = ({ ctx, title, name, list, actions, narrow, children }) => (
  <Shell
    ctx={ctx}
    title={title}
    heading={<Visible text={name} />}
    isLong={name.length > LONG}
    current={list.href}
    crumb={list}
    actions={actions}
    narrow={narrow ?? false}
  >
    {children}
  </Shell>
)
