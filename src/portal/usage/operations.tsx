import type { FC } from 'hono/jsx'
import { HOUR_SECONDS } from '../../core/values/durations.ts'
import type { Usage } from '../../memory/index.ts'
import { Card, Empty } from '../components/elements.tsx'
import { Table } from '../components/table.tsx'
import { sum, type Row } from './outcomes.ts'

/** Each operation with its requests and its limit. Beside the plots the long table is behind a click. */
export const OperationsCard: FC<{ usage: Usage; isOpen: boolean }> = ({ usage, isOpen }) => (
  <Card
    title="By operation"
    lead={`Limits are per user, in any window of that length. Shared limits: ${rate(usage, 'read')} for all other reads, ${rate(usage, 'write')} for all other changes.`}
  >
    {usage.data.length === 0 ? (
      <Empty icon="usage" title="No requests yet">
        <p>
          <a href="/portal/keys/new">Create a key</a> and send your first one; it is counted here.
        </p>
      </Empty>
    ) : (
      <details class="disclosure card-body" open={isOpen}>
        <summary>Requests and limit of each operation</summary>
        <Operations rows={usage.data} usage={usage} />
      </details>
    )}
  </Card>
)

/** An operation without a limit of its own name shares the limits on reads and writes (contract §6). */
function rate({ limits }: Pick<Usage, 'limits'>, name: string): string {
  const found = limits.find((one) => one.name === name)
  if (!found) return 'shared'
  const { limit, window_seconds } = found
  return `${limit} in ${window_seconds >= HOUR_SECONDS ? 'an hour' : window_seconds >= 60 ? 'a minute' : 'a second'}`
}

const Operations: FC<{ rows: readonly Row[]; usage: Usage }> = ({ rows, usage }) => {
  const operations = [...Map.groupBy(rows, (row) => row.operation)].sort(
    ([, a], [, b]) => sum(b, 'requests') - sum(a, 'requests'),
  )
  return (
    <Table
      columns={['Operation', 'Requests', 'Refused', 'Over a limit', 'Failed', 'Limit']}
      numeric={['Requests', 'Refused', 'Over a limit', 'Failed', 'Limit']}
    >
      {operations.map(([operation, here]) => (
        <tr>
          <td class="lead" data-label="Operation">
            <code>{operation}</code>
          </td>
          <td class="num" data-label="Requests">
            {sum(here, 'requests')}
          </td>
          <td class="num" data-label="Refused">
            {sum(here, 'refusals')}
          </td>
          <td class="num" data-label="Over a limit">
            {sum(here, 'limited')}
          </td>
          <td class="num" data-label="Failed">
            {sum(here, 'failures')}
          </td>
          <td class="num" data-label="Limit">
            {rate(usage, operation)}
          </td>
        </tr>
      ))}
    </Table>
  )
}
