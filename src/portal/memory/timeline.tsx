import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Page } from '../../core/http/cursor.ts'
import type { MemoryItem, Version } from '../../memory/index.ts'
import { Card, Time } from '../components/elements.tsx'
import { EventTemplate, LiveState } from '../components/event-list.tsx'
import { Hidden, PostForm } from '../components/fields.tsx'
import { Pager } from '../components/pager.tsx'
import { Author } from '../components/named.tsx'
import type { Naming } from '../names.ts'
import type { PageContext } from '../page-context.ts'
import { Difference } from './difference.tsx'
import { Successors } from './retirement.tsx'

/** Earlier texts of one page. */
const SHOWN_VERSIONS = 10
/** An item keeps 50 earlier texts, and long ones come in more pages. */
const MAX_PAGES = 60

/** The earlier texts that the address asks for, newest first. */
export const readVersions = (ctx: PageContext, path: string): Promise<Page<Version>> =>
  ctx.api.get<Page<Version>>(`${path}/versions`, {
    limit: SHOWN_VERSIONS,
    cursor: ctx.url.searchParams.get('cursor') ?? '',
  })

/** One earlier text of an item; null where it is no longer kept. */
export async function findVersion(ctx: PageContext, path: string, version: number): Promise<Version | null> {
  let cursor = ''
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { data, next_cursor } = await ctx.api.get<Page<Version>>(`${path}/versions`, { limit: 50, cursor })
    const found = data.find((one) => one.version === version)
    if (found || next_cursor === null) return found ?? null
    cursor = next_cursor
  }
  return null
}

interface TimelineProps {
  ctx: PageContext
  item: MemoryItem
  versions: Page<Version>
  successors: readonly MemoryItem[]
  naming: Naming
}

/** All that became of a memory, newest first: its retirement, its texts, and on top the events as they happen. */
export const Timeline: FC<TimelineProps> = ({ ctx, item, versions, successors, naming }) => {
  const isFirstPage = !ctx.url.searchParams.has('cursor')
  const [newest] = versions.data
  const endsWithFirst = newest === undefined || versions.data.at(-1)?.version !== 1
  return (
    <Card
      title="History"
      lead={<LiveState />}
      foot={
        <a href={`/portal/audit?resource_id=${item.id}&page_reads=include`}>Who read and changed it: the audit log</a>
      }
    >
      <ol class="timeline" data-live-events="memory" data-live-of={item.id} aria-label="History, newest first">
        {isFirstPage && item.status === 'retired' && (
          <Entry title="Retired" at={item.retired_at ?? item.updated_at}>
            {item.retired_reason && (
              <p>
                <Visible text={item.retired_reason} />
              </p>
            )}
            {successors.length > 0 && (
              <>
                <p class="small muted">Superseded by:</p>
                <Successors successors={successors} />
              </>
            )}
          </Entry>
        )}
        {isFirstPage && newest && (
          <Entry title="The text above" when="last change" at={item.updated_at}>
            <Difference before={newest.text} after={item.content.text} />
          </Entry>
        )}
        {versions.data.map((version, nth) => (
          <VersionEntry ctx={ctx} item={item} version={version} before={versions.data[nth + 1]} naming={naming} />
        ))}
        {endsWithFirst && !versions.has_more && (
          <Entry
            title="Stored"
            at={item.created_at}
            by={
              <>
                <Author id={item.created_by} via={item.created_via} naming={naming} />
              </>
            }
          />
        )}
      </ol>
      <EventTemplate />
      <Pager url={ctx.url} next={versions.next_cursor} />
    </Card>
  )
}

interface VersionEntryProps {
  ctx: PageContext
  item: MemoryItem
  version: Version
  /** The text that this one replaced, where the page has it. */
  before: Version | undefined
  naming: Naming
}

const VersionEntry: FC<VersionEntryProps> = ({ ctx, item, version, before, naming }) => (
  <Entry
    title={version.version === 1 ? 'Stored' : `Version ${version.version}`}
    at={version.written_at}
    by={
      <>
        <Author id={version.written_by} via={version.written_via} naming={naming} />
      </>
    }
  >
    {before ? (
      <>
        <Difference before={before.text} after={version.text} />
        <details class="disclosure">
          <summary>
            Whole text<span class="sr-only"> of version {version.version}</span>
          </summary>
          <p class="text-block">
            <Visible text={version.text} />
          </p>
        </details>
      </>
    ) : (
      <p class="text-block">
        <Visible text={version.text} />
      </p>
    )}
    {item.status === 'current' && (
      <PostForm ctx={ctx} action={`/portal/memory/${item.id}/bring-back`} class="row">
        <Hidden name="version" value={String(version.version)} />
        <button class="button button-small" type="submit">
          Bring back<span class="sr-only"> version {version.version}</span>
        </button>
      </PostForm>
    )}
  </Entry>
)

interface EntryProps {
  title: string
  /** What the time is, where it is not that of the title. */
  when?: string
  at: string
  by?: Child
  children?: Child
}

const Entry: FC<EntryProps> = ({ title, when, at, by, children }) => (
  <li>
    <div class="row">
      <strong>{title}</strong>
      <span class="small muted">
        {when} <Time at={at} /> {by}
      </span>
    </div>
    {children}
  </li>
)
