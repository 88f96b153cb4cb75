import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { Icon, type IconName } from './icons.tsx'

export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'idle'

export const Badge: FC<{ tone?: Tone; busy?: boolean; plain?: boolean; children?: Child }> = (props) => (
  <span
    class={`badge${props.tone && props.tone !== 'idle' ? ` badge-${props.tone}` : ''}${props.busy ? ' badge-busy' : ''}${props.plain ? ' badge-plain' : ''}`}
  >
    {props.children}
  </span>
)

export const Notice: FC<{ tone?: 'ok' | 'warn' | 'danger'; title?: string; children?: Child }> = (props) => (
  <div class={`notice${props.tone ? ` notice-${props.tone}` : ''}`} role={props.tone === 'danger' ? 'alert' : 'status'}>
    {props.title && <strong>{props.title}</strong>}
    <div>{props.children}</div>
  </div>
)

/** A point in time: UTC from the server; the script replaces it by local time, unless `absolute` by the distance to now. */
export const Time: FC<{ at: string; absolute?: boolean }> = ({ at, absolute }) => (
  <time class="nowrap" datetime={at} title={at} data-absolute={absolute ? '' : undefined}>
    {at.slice(0, 10)} {at.slice(11, 16)} UTC
  </time>
)

export const Card: FC<{
  title?: string
  lead?: Child
  foot?: Child
  danger?: boolean
  id?: string
  children?: Child
}> = (props) => (
  <section class={props.danger ? 'card card-danger' : 'card'} id={props.id} aria-label={props.title}>
    {props.title && (
      <div class="card-head">
        <h2>{props.title}</h2>
        {props.lead && <p>{props.lead}</p>}
      </div>
    )}
    {props.children}
    {props.foot && <div class="card-foot">{props.foot}</div>}
  </section>
)

/** The content of an empty list: what to do first. */
export const Empty: FC<{ icon: IconName; title: string; children?: Child }> = (props) => (
  <div class="empty">
    <Icon name={props.icon} class="empty-mark" />
    <h2>{props.title}</h2>
    {props.children}
  </div>
)

export const Facts: FC<{ rows: readonly (readonly [string, Child])[] }> = ({ rows }) => (
  <dl class="facts">
    {rows.map(([term, value]) => (
      <>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
)

export const Tags: FC<{ tags: readonly string[]; label: string }> = ({ tags, label }) => (
  <ul class="tags" aria-label={label}>
    {tags.map((tag) => (
      <li>
        <span class="badge badge-plain">
          <Visible text={tag} />
        </span>
      </li>
    ))}
  </ul>
)
