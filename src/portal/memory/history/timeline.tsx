import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../../auth/index.ts'
import { betweenCharacters } from '../../../core/values/code-points.ts'
import type { MemoryItem, Version } from '../../../memory/index.ts'
import { Card, Time } from '../../components/elements.tsx'
import { EventTemplate, LiveState } from '../../components/event-list.tsx'
import { Hidden, PostForm } from '../../components/fields.tsx'
import { Pager } from '../../components/pager.tsx'
import { Author } from '../../components/named.tsx'
import type { Naming } from '../../names.ts'
import type { PageContext } from '../../page-context.ts'
import { Changes, differencesOf, type Difference } from './difference.tsx'
import { Successors } from '../retirement.tsx'
import { cursorFrom, type Versions } from './versions.ts'

/** UTF-16 units of the whole texts on one page. The first of them always has room. */
const MAX_WHOLE = 100_000
/** UTF-16 units that are shown of a text without room. */
const SHOWN_BEGINNING = 1_000

interface TimelineProps {
  ctx: PageContext
  item: MemoryItem
  versions: Versions
  successors: readonly MemoryItem[]
  naming: Naming
}

/** The history of a memory, newest first: its retirement, its texts, and on top the events as they happen. */
export const Timeline: FC<TimelineProps> = ({ ctx, item, versions, successors, naming }) => {
  const { shown, beyond, next } = versions
  const isFirstPage = !ctx.url.searchParams.has('cursor')
  const texts = [...shown, ...(beyond ? [beyond] : [])].map(({ text }) => text)
  const differences = differencesOf(isFirstPage ? [item.content.text, ...texts] : texts)
  const [ofCurrent, ...further] = isFirstPage ? differences : [undefined, ...differences]
  const wholes = wholesOf(shown)
  return (
    <Card
      title="History"
      lead={isFirstPage && <LiveState />}
      foot={
        <a href={`/portal/audit?resource_id=${item.id}&page_reads=include`}>Who read and changed it: the audit log</a>
      }
    >
      <ol
        class="timeline"
        data-live-events={isFirstPage ? 'memory' : undefined}
        data-live-of={item.id}
        aria-label="History, newest first"
      >
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
        {ofCurrent !== undefined && (
          <Entry title="The text above" when="last change" at={item.updated_at}>
            <Changes of={ofCurrent} />
          </Entry>
        )}
        {shown.map((version, nth) => (
          <VersionEntry
            ctx={ctx}
            item={item}
            version={version}
            difference={further[nth]}
            whole={wholes[nth] ?? null}
            naming={naming}
          />
        ))}
        {next === null && <Beginning item={item} last={shown.at(-1)} naming={naming} />}
      </ol>
      {isFirstPage && <EventTemplate />}
      {/* A refused form shows the page at an address of its own, which has no further pages. */}
      <Pager url={new URL(`/portal/memory/${item.id}${ctx.url.search}`, ctx.url)} next={next} />
    </Card>
  )
}

/** The texts that the page has room to show whole; null for the others. */
function wholesOf(versions: readonly Version[]): (string | null)[] {
  let left = MAX_WHOLE
  return versions.map(({ text }) => {
    if (text.length > left) return null
    left -= text.length
    return text
  })
}

/** How the history begins, where no earlier text says it. */
const Beginning: FC<{ item: MemoryItem; last: Version | undefined; naming: Naming }> = ({ item, last, naming }) =>
  last?.version === 1 ? null : (
    <>
      {last !== undefined && (
        <li>
          <p class="small muted">The texts before version {last.version} are no longer kept.</p>
        </li>
      )}
      <Entry
        title="Stored"
        at={item.created_at}
        by={<Author id={item.created_by} via={item.created_via} naming={naming} />}
      />
    </>
  )

interface VersionEntryProps {
  ctx: PageContext
  item: MemoryItem
  version: Version
  /** What it changed; undefined for the oldest one. */
  difference: Difference | undefined
  /** Its text, if the page has room for it. */
  whole: string | null
  naming: Naming
}

const VersionEntry: FC<VersionEntryProps> = ({ ctx, item, version, difference, whole, naming }) => (
  <Entry
    title={version.version === 1 ? 'Stored' : `Version ${version.version}`}
    at={version.written_at}
    by={<Author id={version.written_by} via={version.written_via} naming={naming} />}
  >
    {difference === undefined ? (
      <WholeText item={item} version={version} whole={whole} />
    ) : (
      <>
        <Changes of={difference} />
        <details class="disclosure">
          <summary>
            Whole text<span class="sr-only"> of version {version.version}</span>
          </summary>
          <WholeText item={item} version={version} whole={whole} />
        </details>
      </>
    )}
    {item.status === 'current' && (
      <PostForm ctx={ctx} action={`/portal/memory/${item.id}/bring-back`} class="row">
        <Hidden name="version" value={String(version.version)} />
        <Hidden name="seen" value={String(item.version)} />
        <button class="button button-small" type="submit">
          Bring back<span class="sr-only"> version {version.version}</span>
        </button>
      </PostForm>
    )}
  </Entry>
)

/** A text without room has it on the page that begins with it. */
const WholeText: FC<Pick<VersionEntryProps, 'item' | 'version' | 'whole'>> = ({ item, version, whole }) => (
  <>
    <p class="text-block">
      <Visible text={whole ?? `${version.text.slice(0, betweenCharacters(version.text, SHOWN_BEGINNING))}…`} />
    </p>
    {whole === null && (
      <p>
        <a href={`/portal/memory/${item.id}?cursor=${cursorFrom(version.version)}`}>
          Show all of it<span class="sr-only"> of version {version.version}</span>
        </a>
      </p>
    )}
  </>
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
