import type { FC } from 'hono/jsx'
import { iso } from '../../core/values/clock.ts'
import { DAY_MS } from '../../core/values/durations.ts'
import { isId } from '../../core/values/ids.ts'
import type { KeyWithSecret } from '../../identity/index.ts'
import { Code } from '../components/code.tsx'
import { PostForm } from '../components/fields.tsx'
import { attempt } from '../form.ts'
import { DEFAULT_DAYS, DEFAULT_SCOPES, openedAt } from '../keys/new.tsx'
import type { PageContext } from '../page-context.ts'
import { redirectWithFlash } from '../respond.tsx'
import { formAction } from '../route.ts'
import { filledIn, slugOf, type AgentClient } from './clients.ts'
import { waitQuery } from './connected.ts'

const PATH = '/portal/agents'
/** What the key of an agent can do: what `SCOPE_TEXTS` says of `DEFAULT_SCOPES`, in all projects. */
const KEY_TEXT =
  'For an agent that runs unattended. The key can read, search, store, change and delete memories in all your projects, as you. It can do nothing else.'

/** Creates the key of one agent. Its page shows the key once, where the agent reads it. */
export const agentKeyRoute = (clientIn: (ctx: PageContext, slug: string) => AgentClient) =>
  formAction(`${PATH}/key`, async (ctx) => {
    const { form, system } = ctx
    const { name } = clientIn(ctx, form.text('agent'))
    const back = `${PATH}?agent=${slugOf(name)}`
    const expiresAt = openedAt(form.text('once'), system.now()) + Number(DEFAULT_DAYS) * DAY_MS
    const key = { name, environment: 'live', scopes: DEFAULT_SCOPES, owner: 'user', expires_at: iso(expiresAt) }
    const made = await attempt(ctx.api.post<KeyWithSecret>('/v1/api-keys', key, form.text('once')))
    if (!made.ok) return redirectWithFlash(ctx, back, { tone: 'danger', text: made.error.detail })
    const { id, key: secret, created_at } = made.value
    return redirectWithFlash(ctx, `${back}&${waitQuery({ since: created_at, keyId: id })}#agent`, {
      tone: 'ok',
      text: secret === null ? 'This key was already created; it was shown at that time.' : 'Your key is filled in.',
      ...(secret === null ? {} : { secret: { of: id, value: secret } }),
    })
  })

/** How an agent sends a key: with a button that creates one, or with the key that was just created. */
export const KeyWay: FC<{ ctx: PageContext; client: AgentClient }> = ({ ctx, client }) => {
  const shown = ctx.flash?.secret
  // A secret of something else, such as a webhook, is no key.
  const secret = shown && isId('key', shown.of) ? shown : undefined
  if (!client.key) return <p class="small muted">It does not support API keys.</p>
  const isSecret = (text: string): boolean => secret !== undefined && text.includes(secret.value)
  const snippets = secret ? filledIn(client.key, secret.value) : [client.key]
  return (
    <div class="stack">
      <h3>With an API key</h3>
      <p class="small muted">
        {secret ? (
          <>
            Your key is filled in. It is shown once, lasts {DEFAULT_DAYS} days and is listed under{' '}
            <a href={`/portal/keys/${secret.of}`}>API Keys</a>.
          </>
        ) : (
          KEY_TEXT
        )}
      </p>
      {!secret && (
        <PostForm ctx={ctx} action={`${PATH}/key`} class="row" creates>
          <input type="hidden" name="agent" value={slugOf(client.name)} />
          <button class="button button-small" type="submit">
            Create a key and fill it in
          </button>
        </PostForm>
      )}
      {snippets.map(({ label, text }, at) => (
        <div>
          <p class="small">{label}</p>
          <Code
            label={`With an API key${at === 0 ? '' : `, ${label}`}: ${client.name}`}
            text={text}
            secret={isSecret(text)}
          />
        </div>
      ))}
    </div>
  )
}
