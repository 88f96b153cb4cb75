import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { MemoryItem } from '../../memory/index.ts'
import { Code } from '../components/code.tsx'
import { Facts, Tags, Time } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'
import { Named, Via } from '../components/named.tsx'
import type { Naming } from '../names.ts'
import { EmbeddingStatus } from './item-line.tsx'

/** All that is stored beside the text. */
export const ItemFacts: FC<{ item: MemoryItem; project: string; naming: Naming }> = ({ item, project, naming }) => (
  <Facts
    rows={[
      ['Embedding', <EmbeddingStatus item={item} withModel />],
      ['Id', <Id of={item.id} />],
      ...(item.custom_id === null ? [] : [['Your id', <Visible text={item.custom_id} />] as const]),
      [
        'Project',
        <a href={`/portal/projects/${item.context.project_id}`}>
          <Visible text={project} />
        </a>,
      ],
      ['Namespace', <code>{item.context.namespace}</code>],
      ['Scope', item.context.scope],
      ...(item.context.subject === undefined ? [] : [['About', <Subject item={item} />] as const]),
      ['Visible to', item.visibility === 'private' ? 'Its creator and admins' : 'Everyone who can read the project'],
      ['Tags', item.tags.length > 0 ? <Tags tags={item.tags} label="Tags" /> : 'None'],
      ...(item.occurred_at === null ? [] : [['Happened', <Time at={item.occurred_at} />] as const]),
      ['Stored', <Time at={item.created_at} />],
      [
        'Stored by',
        <span>
          <Named id={item.created_by} naming={naming} />
        </span>,
      ],
      ...via('Stored through', item.created_via, naming),
      ...(item.text_via === item.created_via ? [] : via('Text through', item.text_via, naming)),
      ['Changed', <Time at={item.updated_at} />],
      ['Version', String(item.version)],
      ['Expires', item.expires_at === null ? 'Never' : <Time at={item.expires_at} />],
      ...(Object.keys(item.content.metadata).length > 0
        ? [['Metadata', <Code label="Metadata" text={JSON.stringify(item.content.metadata, null, 2)} />] as const]
        : []),
    ]}
  />
)

const via = (label: string, id: string | null, naming: Naming) =>
  id === null ? [] : [[label, <Via via={id} naming={naming} />] as const]

/** It leads to all memories about the same person or thing. */
const Subject: FC<{ item: MemoryItem }> = ({ item: { context } }) => {
  const { project_id, subject = '' } = context
  return (
    <a href={`/portal/memory?${new URLSearchParams({ project_id, subject }).toString()}`}>
      <Visible text={subject} />
    </a>
  )
}
