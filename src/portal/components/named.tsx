import type { Child, FC } from 'hono/jsx'
import { shownText, Visible } from '../../auth/index.ts'
import type { Naming } from '../names.ts'
import { CopyId, Id } from './id.tsx'

/** What stands for an id that was asked for and has no name: the reader cannot tell what is gone from what is hidden. */
const NAMELESS: readonly (readonly [RegExp, string])[] = [
  [/^usr_/, 'a person who left, or one you cannot see'],
  [/^key_/, 'a deleted key, or one of somebody else'],
  [/^(?:app_|https?:)/, 'an app that is gone, or one of somebody else'],
  [/^prj_/, 'a deleted project, or one you cannot see'],
  [/^wsp_/, 'a deleted workspace, or one you cannot see'],
]

/** What stands for the name of an id that has none. */
export const namelessOf = (id: string): string => NAMELESS.find(([form]) => form.test(id))?.[1] ?? 'unknown'

const foundIn = ({ names }: Naming, id: string) => (Object.hasOwn(names, id) ? names[id] : undefined)

/** The name of a person, a key, an app, a project or a workspace, with a button that copies its id. Anything else is its id. */
export const Named: FC<{ id: string; naming: Naming; inSentence?: boolean }> = ({ id, naming, inSentence = false }) => {
  const found = foundIn(naming, id)
  if (id === naming.me) return inSentence ? <>you</> : <NamedId id={id}>You</NamedId>
  if (found === undefined) return <Id of={id} />
  return (
    <NamedId id={id}>{found ? <Visible text={found.name} /> : <span class="muted">{namelessOf(id)}</span>}</NamedId>
  )
}

const NamedId: FC<{ id: string; children?: Child }> = ({ id, children }) => (
  <span class="id" title={shownText(id)}>
    <span>{children}</span>
    <CopyId of={id} />
  </span>
)

/** Who stored a memory or wrote a text, and with which credential. Null: an earlier version of the service did not say. */
export const Author: FC<{ id: string; via: string | null; naming: Naming }> = ({ id, via, naming }) => (
  <>
    by <Named id={id} naming={naming} inSentence />
    {via !== null && (
      <>
        {' '}
        through <Via via={via} naming={naming} />
      </>
    )}
  </>
)

/** The credential that stored a memory or wrote a text. */
export const Via: FC<{ via: string; naming: Naming }> = ({ via, naming }) =>
  via === 'session' ? 'this portal or a session' : <Named id={via} naming={naming} />

/** Who stored a memory of a list, and through which key or app: its page has the ids. */
export const ListedAuthor: FC<{ id: string; via: string | null; naming: Naming }> = ({ id, via, naming }) => (
  <>
    by <ListedName id={id} naming={naming} />
    {via !== null && via !== 'session' && (
      <>
        {' '}
        through <ListedName id={via} naming={naming} />
      </>
    )}
  </>
)

const ListedName: FC<{ id: string; naming: Naming }> = ({ id, naming }) => {
  const found = foundIn(naming, id)
  if (id === naming.me) return <>you</>
  if (found === undefined) return <Visible text={id} />
  return found ? <Visible text={found.name} /> : <>{namelessOf(id)}</>
}
