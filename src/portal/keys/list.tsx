import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Key } from '../../identity/index.ts'
import { renderPage } from '../respond.tsx'
import { Snippets } from '../components/snippets.tsx'
import { requestSnippets } from '../snippets/requests.ts'
import { Pager } from '../components/pager.tsx'
import { Badge, Card, Empty, Notice, Time } from '../components/elements.tsx'
import { Named } from '../components/named.tsx'
import { namesOf, type Naming } from '../names.ts'
import { Shell } from '../components/shell.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'
import { ENVIRONMENT, KEY_STATUS } from './labels.ts'
import { warningsOf } from './warnings.ts'

export const keyListRoute = page('/portal/keys', async (ctx) => {
  const keys = await ctx.api.get<Page<Key>>('/v1/api-keys', {
    include: 'revoked',
    cursor: ctx.url.searchParams.get('cursor') ?? '',
  })
  const naming = await namesOf(
    ctx,
    keys.data.map(({ created_by }) => created_by),
  )
  const warned = keys.data.filter((key) => warningsOf(key, ctx.system.now()).length > 0).length
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="API Keys"
      current="/portal/keys"
      lead="For your servers and scripts. A key acts as you or as a workspace, and can do only what you allow it here."
      actions={
        <a class="button button-primary" href="/portal/keys/new">
          Create key
        </a>
      }
    >
      {warned > 0 && (
        <Notice tone="warn">
          {warned === 1 ? 'One key needs' : `${warned} keys need`} your attention: see the notes in the list.
        </Notice>
      )}
      <Card>
        {keys.data.length === 0 ? <NoKeys ctx={ctx} /> : <KeyTable ctx={ctx} keys={keys.data} naming={naming} />}
      </Card>
      <Pager url={ctx.url} next={keys.next_cursor} />
    </Shell>,
  )
})

const NoKeys: FC<{ ctx: PageContext }> = ({ ctx }) => (
  <Empty icon="key" title="No keys yet">
    <p>All a program needs to store and find memories is a key. Create one, then send it in a header:</p>
    <Snippets
      id="first"
      label="A request with an API key"
      snippets={requestSnippets(ctx.origin, { path: '/v1/memory/items', call: 'memory.list' })}
    />
    <a class="button button-primary" href="/portal/keys/new">
      Create your first key
    </a>
  </Empty>
)

/** When a key stops, or stopped, to work. */
const End: FC<{ apiKey: Key }> = ({ apiKey: { revoked_at, expires_at } }) => {
  const at = revoked_at ?? expires_at
  return at === null ? <>Never</> : <Time at={at} />
}

const KeyTable: FC<{ ctx: PageContext; keys: readonly Key[]; naming: Naming }> = ({ ctx, keys, naming }) => (
  <Table columns={['Name', 'Key', 'Environment', 'Created by', 'Last used', 'Ends', 'Status']}>
    {keys.map((key) => (
      <tr class={key.status === 'revoked' ? 'faded' : undefined}>
        <td class="lead" data-label="Name">
          <a class="table-title" href={`/portal/keys/${key.id}`}>
            <Visible text={key.name} />
          </a>
          <span class="table-sub">{key.owner === 'workspace' ? 'Acts as its workspace' : 'Acts as you'}</span>
        </td>
        <td data-label="Key">
          <code class="nowrap">
            {key.prefix}…{key.last_four}
          </code>
        </td>
        <td data-label="Environment">{ENVIRONMENT[key.environment]}</td>
        <td data-label="Created by">
          <Named id={key.created_by} naming={naming} />
        </td>
        <td data-label="Last used">{key.last_used_at ? <Time at={key.last_used_at} /> : 'Never'}</td>
        <td data-label="Ends">
          <End apiKey={key} />
        </td>
        <td data-label="Status">
          <span class="row">
            <Badge tone={KEY_STATUS[key.status].tone}>{KEY_STATUS[key.status].label}</Badge>
            {warningsOf(key, ctx.system.now()).map((warning) => (
              <Badge tone="warn" plain>
                {warning.short}
              </Badge>
            ))}
          </span>
        </td>
      </tr>
    ))}
  </Table>
)
