import type { FC } from 'hono/jsx'
import { SCOPE_TEXTS, Visible } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { Key, KeyWithSecret, Project } from '../../identity/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt } from '../form.ts'
import { Id } from '../components/id.tsx'
import { Named } from '../components/named.tsx'
import { namesOf, type Naming } from '../names.ts'
import { DetailPage } from '../components/detail-page.tsx'
import { Code } from '../components/code.tsx'
import { Badge, Card, Facts, Notice, Time } from '../components/elements.tsx'
import { Ask } from '../components/ask.tsx'
import { RotateForm } from '../components/rotate-form.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { Snippets } from '../components/snippets.tsx'
import { tryIt } from './try-it.ts'
import { ENVIRONMENT, KEY_STATUS } from './labels.ts'
import { warningsOf } from './warnings.ts'
import { listProjects } from '../lists.ts'
import { AuditLink } from '../components/audit-link.tsx'

export const keyDetailRoutes = [
  page('/portal/keys/:id', (ctx) => keyPage(ctx, null)),

  formAction('/portal/keys/:id/rotate', async (ctx) => {
    const overlap_seconds = Number(ctx.form.text('overlap_seconds'))
    const path = `/v1/api-keys/${ctx.params['id']}/rotate`
    const made = await attempt(ctx.api.post<KeyWithSecret>(path, { overlap_seconds }, ctx.form.text('once')))
    if (!made.ok) return keyPage(ctx, made.error)
    const { id, key } = made.value
    return redirectWithFlash(ctx, `/portal/keys/${id}`, {
      tone: 'ok',
      text: 'The key was already rotated; its new secret was shown at that time.',
      ...(key === null ? {} : { secret: { of: id, value: key } }),
    })
  }),

  formAction('/portal/keys/:id/revoke', async (ctx) => {
    await ctx.api.delete(`/v1/api-keys/${ctx.params['id']}`)
    return redirectWithFlash(ctx, '/portal/keys', {
      tone: 'ok',
      text: 'The key was revoked: its next request is refused.',
    })
  }),
]

async function keyPage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const [key, projects] = await Promise.all([
    ctx.api.get<Key>(`/v1/api-keys/${ctx.params['id']}`, { include: 'revoked' }),
    listProjects(ctx),
  ])
  const naming = await namesOf(ctx, [key.workspace_id, key.created_by])
  const secret = ctx.flash?.secret?.of === key.id ? ctx.flash.secret.value : null
  return renderPage(
    ctx,
    <DetailPage ctx={ctx} title="API key" name={key.name} list={{ href: '/portal/keys', label: 'API Keys' }} narrow>
      {error && <Notice tone="danger">{error.detail}</Notice>}
      {secret !== null && <Secret origin={ctx.origin} apiKey={key} secret={secret} />}
      {secret === null &&
        warningsOf(key, ctx.system.now()).map((warning) => <Notice tone="warn">{warning.text}</Notice>)}
      <Card>
        <div class="card-body">
          <KeyFacts apiKey={key} projects={projects} naming={naming} />
        </div>
      </Card>
      {key.status === 'active' && <Rotate ctx={ctx} id={key.id} />}
      {key.status !== 'revoked' && <Revoke ctx={ctx} apiKey={key} />}
    </DetailPage>,
    error?.status ?? 200,
  )
}

const Secret: FC<{ origin: string; apiKey: Key; secret: string }> = ({ origin, apiKey, secret }) => (
  <Card title="Copy your key now" lead="It is shown once. We store only a hash of it.">
    <div class="card-body">
      <Code label="API key" text={secret} secret />
      <p class="label">Try it</p>
      <Snippets id="try" label="A request with this key" snippets={tryIt(origin, apiKey, secret)} />
    </div>
  </Card>
)

const KeyFacts: FC<{ apiKey: Key; projects: readonly Project[]; naming: Naming }> = ({ apiKey, projects, naming }) => (
  <Facts
    rows={[
      ['Status', <Badge tone={KEY_STATUS[apiKey.status].tone}>{KEY_STATUS[apiKey.status].label}</Badge>],
      [
        'Key',
        <code>
          {apiKey.prefix}…{apiKey.last_four}
        </code>,
      ],
      ['Id', <Id of={apiKey.id} />],
      ['Environment', ENVIRONMENT[apiKey.environment]],
      ['Acts as', apiKey.workspace_id === null ? 'You' : <Named id={apiKey.workspace_id} naming={naming} />],
      [
        'May',
        <ul class="plain">
          {apiKey.scopes.map((scope) => (
            <li>{SCOPE_TEXTS[scope]}</li>
          ))}
        </ul>,
      ],
      ['Projects', <Permissions apiKey={apiKey} projects={projects} />],
      ['Created', <Time at={apiKey.created_at} />],
      ['Created by', <Named id={apiKey.created_by} naming={naming} />],
      ['Audit log', <AuditLink through={{ credential_id: apiKey.id }} name={<Visible text={apiKey.name} />} />],
      ['Last used', apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : 'Never'],
      ['Expires', apiKey.expires_at ? <Time at={apiKey.expires_at} /> : 'Never'],
      ...(apiKey.revoked_at
        ? [[apiKey.status === 'revoked' ? 'Revoked' : 'Ends', <Time at={apiKey.revoked_at} />] as const]
        : []),
      ...(apiKey.rotated_to
        ? [['Replaced by', <a href={`/portal/keys/${apiKey.rotated_to}`}>{apiKey.rotated_to}</a>] as const]
        : []),
    ]}
  />
)

const Permissions: FC<{ apiKey: Key; projects: readonly Project[] }> = ({ apiKey, projects }) =>
  apiKey.permissions === null ? (
    'Everything that its owner can use'
  ) : (
    <ul class="tags">
      {apiKey.permissions.map((permission) => (
        <li>
          <Visible text={projects.find(({ id }) => id === permission.project_id)?.name ?? permission.project_id} />
          {` (${permission.access === 'write' ? 'read and write' : 'read'}${permission.namespaces ? `: ${permission.namespaces.join(', ')}` : ''})`}
        </li>
      ))}
    </ul>
  )

const Rotate: FC<{ ctx: PageContext; id: string }> = ({ ctx, id }) => (
  <Card title="Rotate" lead="A new key with the same permissions. Both work while you switch.">
    <div class="card-body">
      <RotateForm ctx={ctx} action={`/portal/keys/${id}/rotate`} what="key" />
    </div>
  </Card>
)

const Revoke: FC<{ ctx: PageContext; apiKey: Key }> = ({ ctx, apiKey }) => (
  <Card title="Revoke" danger>
    <div class="card-body">
      <p>Anything that uses this key is refused from its next request on. This cannot be undone.</p>
      <div>
        <Ask
          ctx={ctx}
          action={`/portal/keys/${apiKey.id}/revoke`}
          verb="Revoke this key"
          question={
            <>
              Revoke <Visible text={apiKey.name} />?
            </>
          }
        >
          <p>
            {apiKey.last_used_at ? (
              <>
                It was last used <Time at={apiKey.last_used_at} />.
              </>
            ) : (
              'Nothing has used it yet.'
            )}
          </p>
          <p>
            It is refused from its next request on, its sockets close, and the webhooks that it created stop. It stays
            in the list for 90 days. This cannot be undone.
          </p>
        </Ask>
      </div>
    </div>
  </Card>
)
