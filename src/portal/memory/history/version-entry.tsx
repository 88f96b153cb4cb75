import type { FC } from 'hono/jsx'
import { Visible } from '../../../auth/index.ts'
import { betweenCharacters } from '../../../core/values/code-points.ts'
import type { MemoryItem, Version } from '../../../memory/index.ts'
import { Hidden, PostForm } from '../../components/fields.tsx'
import { Author } from '../../components/named.tsx'
import type { Naming } from '../../names.ts'
import type { PageContext } from '../../page-context.ts'
import { Changes, type Difference } from './difference.tsx'
import { Entry } from './history-entry.tsx'
import { cursorFrom } from './versions.ts'

/** UTF-16 units that are shown of a text without room. */
const SHOWN_BEGINNING = 1_000

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

/** An earlier text, what it changed, and a button that brings it back. */
export const VersionEntry: FC<VersionEntryProps> = ({ ctx, item, version, difference, whole, naming }) => (
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
