import type { Child, FC } from 'hono/jsx'
import { Brand, CSRF_FIELD, Document, Visible } from '../../auth/index.ts'
import type { PageContext } from '../page-context.ts'
import { Palette, PaletteButton } from '../palette/palette.tsx'
import { Notice } from './elements.tsx'
import { Icon, type IconName } from './icons.tsx'

interface Entry {
  href: string
  label: string
  icon: IconName
}

const NAVIGATION: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'Build',
    entries: [
      { href: '/portal', label: 'Overview', icon: 'home' },
      { href: '/portal/memory', label: 'Memory', icon: 'memory' },
      { href: '/portal/agents', label: 'Connect an agent', icon: 'agent' },
      { href: '/portal/keys', label: 'API Keys', icon: 'key' },
      { href: '/portal/projects', label: 'Projects', icon: 'project' },
    ],
  },
  {
    title: 'Events',
    entries: [
      { href: '/portal/events', label: 'Live events', icon: 'events' },
      { href: '/portal/webhooks', label: 'Webhooks', icon: 'webhook' },
    ],
  },
  {
    title: 'Access',
    entries: [
      { href: '/portal/workspaces', label: 'Workspaces', icon: 'people' },
      { href: '/portal/apps', label: 'OAuth apps', icon: 'app' },
      { href: '/portal/connected', label: 'Connected apps', icon: 'link' },
    ],
  },
  {
    title: 'Watch',
    entries: [
      { href: '/portal/usage', label: 'Usage', icon: 'usage' },
      { href: '/portal/audit', label: 'Audit log', icon: 'audit' },
      { href: '/portal/erasures', label: 'Erasures', icon: 'erase' },
    ],
  },
  {
    title: 'You',
    entries: [
      { href: '/portal/settings', label: 'Settings', icon: 'settings' },
      { href: '/api-reference', label: 'API reference', icon: 'book' },
    ],
  },
]

interface ShellProps {
  ctx: PageContext
  title: string
  /** The navigation entry that this page belongs to. */
  current: string | null
  lead?: Child
  actions?: Child
  crumb?: { href: string; label: string }
  /** Replaces `title` as the heading if the heading contains a client's text. */
  heading?: Child
  /** The heading is long, such as an address: its letters are smaller. */
  isLong?: boolean
  narrow?: boolean
  children?: Child
}

/** The layout of every page of a signed-in user: navigation, heading, flash, content. */
export const Shell: FC<ShellProps> = (props) => {
  const { ctx } = props
  return (
    <Document title={props.title} theme={ctx.me.settings.theme}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <header class="side">
          <Brand />
          <PaletteButton />
          <button class="button button-small nav-toggle" type="button" popovertarget="nav">
            Menu
          </button>
          <nav class="nav" id="nav" popover="auto" aria-label="Portal">
            {NAVIGATION.map((group) => (
              <div>
                <p class="nav-title">{group.title}</p>
                <ul>
                  {group.entries.map((entry) => (
                    <li>
                      <a href={entry.href} aria-current={entry.href === props.current ? 'page' : undefined}>
                        <Icon name={entry.icon} />
                        {entry.label}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            <SignedIn ctx={ctx} />
          </nav>
        </header>
        <main class="main" id="main" tabindex={-1}>
          <div class={props.narrow ? 'page page-narrow' : 'page'}>
            <div class="page-head">
              <div>
                {props.crumb && (
                  <a class="crumb" href={props.crumb.href}>
                    ← {props.crumb.label}
                  </a>
                )}
                <h1 class={props.isLong ? 'h1-long' : undefined}>{props.heading ?? props.title}</h1>
                {props.lead && <p>{props.lead}</p>}
              </div>
              {props.actions && <div class="row">{props.actions}</div>}
            </div>
            {ctx.flash && !ctx.flash.secret && <Notice tone={ctx.flash.tone}>{ctx.flash.text}</Notice>}
            {props.children}
          </div>
        </main>
      </div>
      <Palette pages={NAVIGATION.flatMap(({ entries }) => entries)} />
    </Document>
  )
}

const SignedIn: FC<{ ctx: PageContext }> = ({ ctx }) => (
  <div class="who">
    <span class="avatar" aria-hidden="true">
      {initialOf(ctx.me.name || ctx.me.email)}
    </span>
    <div class="who-text">
      <strong class="small">
        <Visible text={ctx.me.name} />
      </strong>
      <span class="small muted" title={ctx.me.email}>
        {ctx.me.email}
      </span>
    </div>
    <form method="post" action="/portal/sign-out">
      <input type="hidden" name={CSRF_FIELD} value={ctx.csrf} />
      <button class="button button-small button-quiet" type="submit">
        Sign out
      </button>
    </form>
  </div>
)

const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·'
