import type { Child, FC } from 'hono/jsx'
import { Visible } from '../../../auth/index.ts'
import type { MemoryItem, Version } from '../../../memory/index.ts'
import { Card } from '../../components/elements.tsx'
import { EventTemplate, LiveState } from '../../components/event-list.tsx'
import { Author } from '../../components/named.tsx'
import { Pager } from '../../components/pager.tsx'
import type { Naming } from '../../names.ts'
import type { PageContext } from '../../page-context.ts'
import type { Change, PageChanges } from './changes.ts'
import { Changes, differencesOf } from './difference.tsx'
import { Entry } from './history-entry.tsx'
import { MemoryLinks } from '../retirement.tsx'
import { VersionEntry } from './version-entry.tsx'
import { lastTextAt, type Versions } from './versions.ts'

/** UTF-16 units of the whole texts on one page. The first of them always has room. */
const MAX_WHOLE = 100_000

interface TimelineProps {
  ctx: PageContext
  item: MemoryItem
  versions: Versions
  changes: PageChanges
  /** What the memory superseded when it was stored. */
  superseded: readonly MemoryItem[]
  naming: Naming
}

const TITLES: Record<Change['kind'], string> = {
  retired: 'Retired',
  restored: 'Restored',
  updated: 'Changed',
}

/** The history of a memory, newest first: its retirements, its texts, and on top the events as they happen. */
export const Timeline: FC<TimelineProps> = ({ ctx, item, versions, changes, superseded, naming }) => {
  const { shown, beyond, next } = versions
  const isFirstPage = !ctx.url.searchParams.has('cursor')
  const texts = [...shown, ...(beyond ? [beyond] : [])].map(({ text }) => text)
  const differences = differencesOf(isFirstPage ? [item.content.text, ...texts] : texts)
  const [ofCurrent, ...ofEarlier] = isFirstPage ? differences : [undefined, ...differences]
  const wholes = wholesOf(shown)
  const { ofText, ofRetirement, further } = changes
  const byOf = (change: Change | null): Child => change && <Author id={change.by} via={change.via} naming={naming} />
  const entries: { at: string; entry: Child }[] = further.map((change) => ({
    at: change.at,
    entry: <Entry title={TITLES[change.kind]} at={change.at} by={byOf(change)} />,
  }))
  if (isFirstPage && item.retired_at !== undefined)
    entries.push({ at: item.retired_at, entry: <Retired item={item} by={byOf(ofRetirement)} /> })
  if (ofCurrent !== undefined) {
    const at = ofText?.at ?? lastTextAt(item, versions)
    entries.push({
      at: at ?? shown[0]?.written_at ?? item.created_at,
      entry: (
        <Entry title="The text above" at={at} by={byOf(ofText)}>
          <Changes of={ofCurrent} />
        </Entry>
      ),
    })
  }
  for (const [nth, version] of shown.entries())
    entries.push({
      at: version.written_at,
      entry: (
        <VersionEntry
          ctx={ctx}
          item={item}
          version={version}
          difference={ofEarlier[nth]}
          whole={wholes[nth] ?? null}
          naming={naming}
        />
      ),
    })
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
        {entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).map(({ entry }) => entry)}
        {next === null && <Beginning item={item} last={shown.at(-1)} naming={naming} />}
        {next === null && superseded.length > 0 && (
          <li>
            <p class="small muted">When it was stored, it superseded:</p>
            <MemoryLinks memories={superseded} />
          </li>
        )}
      </ol>
      {isFirstPage && <EventTemplate />}
      {/* A refused form shows the page at an address of its own, which has no further pages. */}
      <Pager url={new URL(`/portal/memory/${item.id}${ctx.url.search}`, ctx.url)} next={next} />
    </Card>
  )
}

const Retired: FC<{ item: MemoryItem; by: Child }> = ({ item, by }) => (
  <Entry title="Retired" at={item.retired_at ?? null} by={by}>
    {item.retired_reason && (
      <p>
        <Visible text={item.retired_reason} />
      </p>
    )}
  </Entry>
)

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
