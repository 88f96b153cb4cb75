import type { FC } from 'hono/jsx'
import { SCOPE_TEXTS } from '../../auth/index.ts'
import { SCOPES, type Scope } from '../../core/context.ts'
import { iso } from '../../core/values/clock.ts'
import type { AppError } from '../../core/errors.ts'
import { isId, timeOfId } from '../../core/values/ids.ts'
import type { KeyWithSecret } from '../../identity/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt } from '../form.ts'
import { Notice } from '../components/elements.tsx'
import { Check, Choices, Field, FieldGroup, Select } from '../components/fields.tsx'
import { CreatePage } from '../components/forms.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'
import { listProjects, listWorkspaces } from '../lists.ts'
import { PermissionFields, permissionsIn } from './permissions.tsx'
import { DAY_MS } from '../../core/values/durations.ts'

/** The scopes that are checked at first. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read:memory', 'write:memory']
export const DEFAULT_DAYS = '90'
const EXPIRY = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Never' },
]

/** What most keys are for. The server checks the scopes of the one that the address names; the script, at a click. */
const PRESETS: readonly { name: string; label: string; hint: string; scopes: readonly Scope[] }[] = [
  { name: 'app', label: 'App', hint: 'stores and finds memories', scopes: DEFAULT_SCOPES },
  {
    name: 'events',
    label: 'Events',
    hint: 'publishes, listens, creates webhooks',
    scopes: ['read:memory', 'read:events', 'write:events'],
  },
  {
    name: 'read-only',
    label: 'Learn morely',
    hint: 'sees everything, changes nothing',
    scopes: ['read:memory', 'read:projects', 'read:profile', 'read:events', 'read:audit'],
  },
  { name: 'admin', label: 'Admin', hint: 'can do everything that its owner can', scopes: SCOPES },
]

interface Problems {
  error?: AppError
  /** "Never" was chosen and is not confirmed. */
  askNever?: boolean
}

export const newKeyRoutes = [
  page('/portal/keys/new', (ctx) => newKeyPage(ctx, {})),

  formAction('/portal/keys', async (ctx) => {
    const { form } = ctx
    if (form.text('expiry') === 'never' && !form.has('confirm_never')) return newKeyPage(ctx, { askNever: true })
    const made = await attempt(ctx.api.post<KeyWithSecret>('/v1/api-keys', toInput(ctx), form.text('once')))
    if (!made.ok) return newKeyPage(ctx, { error: made.error })
    const { id, key } = made.value
    return redirectWithFlash(ctx, `/portal/keys/${id}`, {
      tone: 'ok',
      text: key === null ? 'This key was already created; its secret was shown at that time.' : 'Your key is ready.',
      ...(key === null ? {} : { secret: { of: id, value: key } }),
    })
  }),
]

function toInput({ form, system }: PageContext) {
  const workspace = form.text('owner')
  const days = EXPIRY.find(({ value }) => value === form.text('expiry'))?.value ?? DEFAULT_DAYS
  return {
    name: form.text('name'),
    environment: form.text('environment'),
    scopes: form.all('scope'),
    ...(workspace === '' ? { owner: 'user' } : { owner: 'workspace', workspace_id: workspace }),
    ...(form.text('reach') === 'some' ? { permissions: permissionsIn(form) } : {}),
    ...(days === 'never' ? {} : { expires_at: iso(openedAt(form.text('once'), system.now()) + Number(days) * DAY_MS) }),
  }
}

/** When the form was opened: a form sent twice then has the same body, as its idempotency key demands. */
export const openedAt = (once: string, now: number): number => (isId('req', once) ? Math.min(now, timeOfId(once)) : now)

async function newKeyPage(ctx: PageContext, { error, askNever }: Problems): Promise<Response> {
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  const { form } = ctx
  const first = ctx.request.method === 'GET'
  const preset = PRESETS.find(({ name }) => name === ctx.url.searchParams.get('preset')) ?? PRESETS[0]
  const expiry = form.text('expiry') || DEFAULT_DAYS
  return renderPage(
    ctx,
    <CreatePage
      ctx={ctx}
      title="Create an API key"
      list={{ href: '/portal/keys', label: 'API Keys' }}
      submit="Create key"
      error={error ?? null}
    >
      {askNever && (
        <Notice tone="warn" title="A key that never expires?">
          <p>If it leaks, it works until someone notices. An expiry date and rotation are safer for most keys.</p>
          <Check name="confirm_never" label="I need a key that never expires" />
        </Notice>
      )}
      <Field
        name="name"
        label="Name"
        required
        maxlength={120}
        placeholder="Support bot, production"
        hint="Where it is used, so that you know later what revoking it would stop."
        value={form.text('name')}
        error={errorAt(error, 'name')}
        autofocus={first}
      />
      <Choices
        name="environment"
        legend="Environment"
        options={[
          { value: 'test', label: 'Development' },
          { value: 'live', label: 'Production' },
        ]}
        value={form.text('environment') || 'test'}
        hint="Part of the key and of the audit log. Give a development key a project of its own."
      />
      <ScopeChecks
        chosen={first ? (preset?.scopes ?? []) : form.all('scope')}
        preset={first ? preset?.name : undefined}
        error={errorAt(error, 'scopes')}
      />
      <PermissionFields form={form} projects={projects} error={error} />
      <Choices
        name="expiry"
        legend="Expires after"
        options={EXPIRY}
        value={expiry}
        error={errorAt(error, 'expires_at')}
        errorPath="expires_at"
      />
      <Select
        name="owner"
        label="Acts as"
        value={form.text('owner')}
        options={[
          { value: '', label: 'You' },
          ...workspaces.map(({ id, name }) => ({ value: id, label: `Workspace ${name}` })),
        ]}
        hint="As you: it ends with your membership. As a workspace: it keeps working when you leave; admins only."
        error={errorAt(error, 'workspace_id')}
        errorPath="workspace_id"
      />
    </CreatePage>,
    error?.status ?? (askNever ? 422 : 200),
  )
}

interface ScopeProps {
  chosen: readonly string[]
  preset: string | undefined
  error: string | undefined
}

const ScopeChecks: FC<ScopeProps> = ({ chosen, preset, error }) => (
  <FieldGroup name="scopes" legend="What it can do" error={error}>
    <nav class="presets" aria-label="Presets">
      {PRESETS.map(({ name, label, hint, scopes }) => (
        <a
          href={`/portal/keys/new?preset=${name}`}
          data-preset={scopes.join(' ')}
          aria-current={name === preset ? 'true' : undefined}
        >
          <strong>{label}</strong>
          <span class="hint">{hint}</span>
        </a>
      ))}
    </nav>
    <div class="checks">
      {SCOPES.map((scope) => (
        <Check
          name="scope"
          value={scope}
          checked={chosen.includes(scope)}
          label={<strong>{SCOPE_TEXTS[scope]}</strong>}
          hint={<code>{scope}</code>}
        />
      ))}
    </div>
  </FieldGroup>
)
