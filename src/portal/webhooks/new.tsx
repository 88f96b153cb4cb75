import type { FC } from 'hono/jsx'
import { invalid, type AppError } from '../../core/errors.ts'
import type { Project } from '../../identity/index.ts'
import { done, show } from '../answer.tsx'
import { attempt, errorAt, type Form } from '../form.ts'
import { Check, Field, PostForm, Select } from '../parts/fields.tsx'
import { Shell } from '../parts/shell.tsx'
import { action, view, type Visit } from '../visit.ts'
import type { Page } from '../../core/cursor.ts'
import type { Subscription } from '../../events/index.ts'

const CHANNELS: readonly { name: string; label: string }[] = [
  { name: 'memory', label: 'What happens to memories' },
  { name: 'conversation', label: 'Messages, conversations, typing' },
  { name: 'offering', label: 'Offerings installed and changed' },
  { name: 'system', label: 'Notices and maintenance' },
]

export const newWebhookRoutes = [
  view('/portal/webhooks/new', (visit) => newWebhookPage(visit, null)),

  action('/portal/webhooks', async (visit) => {
    const headers = parseHeaders(visit.form.text('headers'))
    if (!headers)
      return newWebhookPage(visit, invalid('delivery.headers', 'invalid_header', 'One header a line: Name: value'))
    const made = await attempt(
      visit.api.post<Subscription>('/api/events/subscriptions', toInput(visit.form, headers), visit.form.text('once')),
    )
    if (!made.ok) return newWebhookPage(visit, made.error)
    return done(visit, `/portal/webhooks/${made.value.subscription_id}`, {
      tone: 'ok',
      text: 'The webhook is ready. Show its signing secret below, and send it a test.',
    })
  }),
]

function toInput(form: Form, headers: Record<string, string>) {
  const project = form.text('project_id')
  return {
    channels: [...form.all('channel'), ...form.list('own_channels')],
    events: form.list('events'),
    filters: project === '' ? {} : { project_id: project },
    delivery: {
      method: 'webhook',
      url: form.text('url'),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    },
  }
}

function parseHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = line.indexOf(':')
    if (at < 1) return null
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return headers
}

async function newWebhookPage(visit: Visit, error: AppError | null): Promise<Response> {
  const projects = await visit.api.get<Page<Project>>('/v1/projects', { limit: 100 })
  const { form } = visit
  const first = visit.request.method === 'GET'
  return show(
    visit,
    <Shell
      visit={visit}
      title="Add a webhook"
      current="/portal/webhooks"
      crumb={{ href: '/portal/webhooks', label: 'Webhooks' }}
      narrow
    >
      <div class="card card-body">
        <PostForm visit={visit} action="/portal/webhooks" creates error={error}>
          <Field
            name="url"
            type="url"
            label="Address of your server"
            required
            placeholder="https://example.com/hooks/recollect"
            value={form.text('url')}
            error={errorAt(error, 'delivery.url')}
            autofocus={first}
          />
          <Channels chosen={first ? ['memory'] : form.all('channel')} error={errorAt(error, 'channels')} />
          <Select
            name="project_id"
            label="Only from the project"
            value={form.text('project_id')}
            options={[
              { value: '', label: 'All that you may read' },
              ...projects.data.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <details class="disclosure" open={error !== null}>
            <summary>Only some events, own channels, headers</summary>
            <div class="form">
              <Field
                name="events"
                label="Only these events"
                placeholder="memory.created, memory.embedding_complete"
                hint="Separated by commas. Empty: all events of the channels."
                value={form.text('events')}
                error={errorAt(error, 'events')}
              />
              <Field
                name="own_channels"
                label="Your own channels"
                placeholder="orders, builds"
                value={form.text('own_channels')}
              />
              <Field
                name="headers"
                label="Headers to send along"
                rows={2}
                placeholder="Authorization: Bearer …"
                hint="One a line. Kept encrypted, never shown again."
                error={errorAt(error, 'delivery.headers')}
              />
            </div>
          </details>
          <div class="row">
            <button class="button button-primary" type="submit">
              Add webhook
            </button>
            <a class="button button-quiet" href="/portal/webhooks">
              Cancel
            </a>
          </div>
        </PostForm>
      </div>
    </Shell>,
    error?.status ?? 200,
  )
}

const Channels: FC<{ chosen: readonly string[]; error: string | undefined }> = ({ chosen, error }) => (
  <fieldset>
    <legend>Channels</legend>
    <div class="checks">
      {CHANNELS.map(({ name, label }) => (
        <Check
          name="channel"
          value={name}
          checked={chosen.includes(name)}
          label={<strong>{name}</strong>}
          hint={label}
        />
      ))}
    </div>
    {error && <p class="field-error">{error}</p>}
  </fieldset>
)
