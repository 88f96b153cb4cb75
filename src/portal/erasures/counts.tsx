import type { FC } from 'hono/jsx'
import type { Erasure } from '../../memory/index.ts'
import { Facts } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'

type Counted = Pick<Erasure, 'counts' | 'covers'>

export const countRows = ({ counts, covers }: Counted): [string, string][] => [
  ['Items', `${counts.items}`],
  ['Retired among them', `${counts.retired}`],
  ['Earlier texts', `${counts.versions}`],
  ['Vectors', `${counts.vectors}`],
  ['Events', `${counts.events}`],
  ['Waiting deliveries', `${counts.deliveries}`],
  ['Projects', covers.whole_tenant ? `all ${covers.project_ids.length}` : `${covers.project_ids.length}, not all`],
]

/** Keys and subscriptions that name what is erased; nothing where there is none. */
export const KeptNames: FC<{ kept: Erasure['kept'] }> = ({ kept }) => {
  const { key_ids = [], subscription_ids = [] } = kept ?? {}
  if (key_ids.length + subscription_ids.length === 0) return null
  return (
    <>
      <p>These name it and stay: change them yourself.</p>
      <Facts
        rows={[
          ...key_ids.map((id) => ['API key', id] as const),
          ...subscription_ids.map((id) => ['Webhook', id] as const),
        ].map(([what, id]) => [what, <Id of={id} />])}
      />
    </>
  )
}
