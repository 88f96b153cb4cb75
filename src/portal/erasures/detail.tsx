import { Visible } from '../../auth/index.ts'
import type { Erasure } from '../../memory/index.ts'
import { Badge, Card, Facts, Time } from '../components/elements.tsx'
import { Id } from '../components/id.tsx'
import { Named } from '../components/named.tsx'
import { namesOf } from '../names.ts'
import { Shell } from '../components/shell.tsx'
import { renderPage } from '../respond.tsx'
import { page } from '../route.ts'
import { countRows, KeptNames } from './counts.tsx'
import { STATUS_TONE } from './list.tsx'

const LIST = '/portal/erasures'

/** A receipt. */
export const erasureDetailRoute = page(`${LIST}/:id`, async (ctx) => {
  const erasure = await ctx.api.get<Erasure>(`/v1/erasures/${ctx.params['id']}`)
  const naming = await namesOf(ctx, [erasure.requested_by])
  const when = (at: string | null, otherwise: string) => (at === null ? otherwise : <Time at={at} />)
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Receipt of an erasure"
      current={LIST}
      crumb={{ href: LIST, label: 'Erasures' }}
      actions={
        <a class="button" href={`/portal/audit?action=memory.erase&resource_id=${erasure.id}&page_reads=include`}>
          Open its audit rows
        </a>
      }
      narrow
    >
      <Card>
        <div class="card-body">
          <Facts
            rows={[
              ['Id', <Id of={erasure.id} />],
              ['Status', <Badge tone={STATUS_TONE[erasure.status]}>{erasure.status}</Badge>],
              [
                erasure.kind === 'subject' ? 'Subject' : 'Namespace',
                erasure.name === null ? 'known by its HMAC alone' : <Visible text={erasure.name} />,
              ],
              ['HMAC of the name', <code>{erasure.name_hmac}</code>],
              ...countRows(erasure),
              ['Digest', <code>{erasure.digest}</code>],
              ['Requested by', <Named id={erasure.requested_by} naming={naming} />],
              ['Requested', <Time at={erasure.requested_at} />],
              ['Erased', when(erasure.erased_at, 'running')],
              ['Index rewritten', when(erasure.index_rewritten_at, 'within a day of the erasure')],
              ['Restorable until', when(erasure.restorable_until, '30 days after the erasure')],
            ]}
          />
          <KeptNames kept={erasure.kept} />
        </div>
      </Card>
    </Shell>,
  )
})
