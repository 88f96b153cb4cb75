import { boundedId, ended, idByContent, present, unread, type Converted } from './line.ts'
import { fieldsOf, metadataOf, recordsOf, textOf } from './records.ts'
import { aboutUser } from './subject.ts'
import { tagsOf } from './tags.ts'
import { lifeOf, timesOf } from './times.ts'

/** What `--namespace` can name. */
export const MEM0_NAMES = ['user_id', 'agent_id', 'app_id', 'run_id', 'actor_id'] as const

/**
 * The memories of mem0: what `get_all`, `search` and the export of its platform and of its open-source version give. The
 * id, or else a hash of the text and its owner, becomes the `custom_id`, so that a second import stores nothing twice. The
 * user becomes the subject; categories become tags; a run becomes the session; an `expiration_date` becomes the `ttl`.
 */
export function fromMem0(text: string, now: number): Converted[] {
  return recordsOf(text, ['results', 'memories', 'items', 'data']).map((one): Converted => {
    if ('reason' in one) return one
    const { from, record } = one
    const fields = fieldsOf(record)
    const memory = textOf(fields?.['memory'], fields?.['content'], fields?.['text'], fields?.['data'])
    if (!fields || memory === undefined) return unread(from, 'it has no text in "memory"')
    const life = lifeOf('expiration_date', fields['expiration_date'], now)
    if (life.over) return ended(from, 'it has expired')
    const { user_id, agent_id, app_id, actor_id, role, run_id, id, categories, tags: ownTags } = fields
    const { times, kept } = timesOf(fields, ['created_at', 'updated_at'], now)
    const { tags, incomplete } = tagsOf([categories, ownTags])
    const metadata = {
      ...metadataOf(fields['metadata']),
      ...present({ user_id, agent_id, app_id, actor_id, role }),
      ...(incomplete ? present({ categories, tags: ownTags }) : {}),
      ...life.kept,
      ...kept,
    }
    const session = textOf(run_id) ?? null
    const about = aboutUser('user_id', textOf(user_id))
    return {
      from,
      id: `mem0:${textOf(id) ?? idByContent(memory, user_id, agent_id, app_id, run_id)}`,
      names: Object.fromEntries(MEM0_NAMES.map((name) => [name, textOf(fields[name])])),
      note: about.note,
      line: {
        content: { text: memory, metadata },
        ttl: life.ttl,
        ...times,
        tags,
        context: { session_id: session === null ? null : boundedId(session), ...about.context },
      },
    }
  })
}
