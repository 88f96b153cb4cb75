import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Time } from '../components/elements.tsx'
import { Author } from '../components/named.tsx'
import type { Naming } from '../names.ts'
import type { Change } from './history/changes.ts'
import { lastTextAt, type Versions } from './history/versions.ts'

interface HeroProps {
  item: MemoryItem
  versions: Versions
  /** What brought the text, where that is known. */
  changed: Change | null
  naming: Naming
}

/** The text of a memory, large, with who said and stored it. */
export const Hero: FC<HeroProps> = ({ item, versions, changed, naming }) => (
  <section class="card hero" aria-label="Text">
    <p class="text-block">
      <Visible text={item.content.text} />
    </p>
    <p class="small muted">
      {item.speaker !== null && (
        <>
          Said by <Visible text={item.speaker} />.{' '}
        </>
      )}
      {item.occurred_at !== null && (
        <>
          Happened <Time at={item.occurred_at} />.{' '}
        </>
      )}
      Stored <Author id={item.created_by} via={item.created_via} naming={naming} />, <Time at={item.created_at} />.
      {versions.shown.length > 0 && <TextChanged at={lastTextAt(item, versions)} changed={changed} naming={naming} />}
    </p>
  </section>
)

/** The text is not that which was stored. */
const TextChanged: FC<{ at: string | null; changed: Change | null; naming: Naming }> = ({ at, changed, naming }) => {
  const known = changed?.at ?? at
  return (
    <>
      {' '}
      The text was changed {known === null ? 'later' : <Time at={known} />}
      {changed && (
        <>
          {' '}
          <Author id={changed.by} via={changed.via} naming={naming} />
        </>
      )}
      .
    </>
  )
}
