import { MAX_CUSTOM_ID_CHARACTERS, type ItemRecord } from '../item.ts'

/** The names of an item that a client gives. Namespaces are ASCII. */
export type Names = Pick<ItemRecord, 'custom_id' | 'conversation_id' | 'document_id' | 'session_id' | 'tags'>

/** An item as the sweep reads it. */
export type NamedItem = Names &
  Pick<ItemRecord, 'row' | 'id' | 'write_id' | 'project_id' | 'namespace' | 'updated_at' | 'retired_at'>

const normal = (name: string | null): string | null => name?.normalize('NFC') ?? null

/** The names in the form NFC (contract §3). Tags that become one are one. */
export const normalNames = ({ custom_id, conversation_id, document_id, session_id, tags }: Names): Names => ({
  custom_id: normal(custom_id),
  conversation_id: normal(conversation_id),
  document_id: normal(document_id),
  session_id: normal(session_id),
  tags: tags === normal(tags) ? tags : normalTags(JSON.parse(tags) as string[]),
})

const normalTags = (tags: readonly string[]): string =>
  JSON.stringify([...new Set(tags.map((tag) => tag.normalize('NFC')))])

/** An earlier version of the service stored names as they came. */
export const hasNormalNames = ({ custom_id, conversation_id, document_id, session_id, tags }: Names): boolean =>
  [custom_id, conversation_id, document_id, session_id, tags].every((name) => name === normal(name))

/** What an item is called from now on. */
export interface Renaming extends Names {
  id: string
  /** As it was read, and the item that has or gets the name instead. One that was written since is left alone. */
  write_id: string
  instead_of: Pick<NamedItem, 'id' | 'write_id'> | null
}

/**
 * The renamings of items whose names have another form than NFC. `holders` are the items that have the `custom_id` of one of
 * them in NFC. Of those that want one `custom_id`, the current one that changed last gets it; the others get their id behind it.
 */
export function renamings(items: readonly NamedItem[], holders: readonly NamedItem[]): Renaming[] {
  const others = items.filter((item) => !hasNormalNames(item))
  const named = new Map([...others, ...holders].map((item) => [item.id, item]))
  const contenders = Map.groupBy(named.values(), placeOf)
  return [...named.values()].flatMap((item): Renaming[] => {
    const { id, write_id } = item
    const names = { ...normalNames(item), id, write_id }
    const [last] = (item.custom_id === null ? [] : (contenders.get(placeOf(item)) ?? [])).toSorted(byChange)
    if (last && last !== item) {
      const instead_of = { id: last.id, write_id: last.write_id }
      return [{ ...names, custom_id: besideName(item), instead_of }]
    }
    return hasNormalNames(item) ? [] : [{ ...names, instead_of: null }]
  })
}

/** Where a `custom_id` is unique. */
const placeOf = ({ project_id, namespace, custom_id }: NamedItem): string =>
  JSON.stringify([project_id, namespace, normal(custom_id)])

/** A current item before a retired one, then the last change first. */
const byChange = (a: NamedItem, b: NamedItem): number =>
  Number(a.retired_at !== null) - Number(b.retired_at !== null) || b.updated_at - a.updated_at || b.row - a.row

/** A name that no other item has, as short as a `custom_id` must be. */
function besideName({ id, custom_id }: NamedItem): string {
  const behind = `#${id}`
  const kept = Array.from(normal(custom_id) ?? '').slice(0, MAX_CUSTOM_ID_CHARACTERS - behind.length)
  return `${kept.join('')}${behind}`
}
