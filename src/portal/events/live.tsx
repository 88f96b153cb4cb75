import type { FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import type { PublishedEvent } from '../../events/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { attempt, errorAt, parseObject } from '../form.ts'
import { Card, Notice } from '../components/elements.tsx'
import { EventList, LiveState } from '../components/event-list.tsx'
import { Check, Field, PostForm } from '../components/fields.tsx'
import { Shell } from '../components/shell.tsx'
import type { PageContext } from '../page-context.ts'
import { formAction, page } from '../route.ts'

const CHANNELS = ['memory', 'conversation', 'offering', 'system'] as const
const SAMPLE_DATA = JSON.stringify({ conversation_id: 'demo', text: 'Hello' }, null, 2)

export const liveRoutes = [
  page('/portal/events', (ctx) => livePage(ctx, null)),

  formAction('/portal/events/publish', async (ctx) => {
    const data = parseObject(ctx.form.text('data'), 'data', 'Data must be a JSON object.')
    if (!data.ok) return livePage(ctx, data.error)
    const body = { type: ctx.form.text('type'), data: data.value }
    const sent = await attempt(ctx.api.post<PublishedEvent>('/api/events/publish', body, ctx.form.text('once')))
    if (!sent.ok) return livePage(ctx, sent.error)
    const { event_id, recipients } = sent.value
    return redirectWithFlash(ctx, '/portal/events', {
      tone: 'ok',
      text: `Published as ${event_id}, for ${recipients} ${recipients === 1 ? 'member' : 'members'}.`,
    })
  }),
]

/** The channels of the query, or all built-in channels if it names none. */
function channelsOf(ctx: PageContext): string[] {
  const own = (ctx.url.searchParams.get('own') ?? '').split(',').map((name) => name.trim())
  const named = [...ctx.url.searchParams.getAll('channel'), ...own].filter((name) =>
    /^[a-z][a-z0-9-]{0,63}$/.test(name),
  )
  return named.length > 0 ? named : [...CHANNELS]
}

function livePage(ctx: PageContext, error: AppError | null): Promise<Response> {
  const channels = channelsOf(ctx)
  return renderPage(
    ctx,
    <Shell
      ctx={ctx}
      title="Live events"
      current="/portal/events"
      lead="Events in your projects as they happen: the same events that your sockets and webhooks receive."
    >
      <Card>
        <div class="card-body">
          <form class="form-inline" method="get" action="/portal/events" aria-label="Channels">
            <fieldset>
              <legend>Channels</legend>
              <div class="row">
                {CHANNELS.map((name) => (
                  <Check name="channel" value={name} checked={channels.includes(name)} label={name} />
                ))}
              </div>
            </fieldset>
            <Field
              name="own"
              label="Your own channels"
              placeholder="orders, builds"
              value={channels.filter((name) => !CHANNELS.some((known) => known === name)).join(', ')}
            />
            <button class="button" type="submit">
              Listen
            </button>
          </form>
        </div>
      </Card>
      <Stream channels={channels} />
      <Publish ctx={ctx} error={error} />
    </Shell>,
    error?.status ?? 200,
  )
}

const Stream: FC<{ channels: readonly string[] }> = ({ channels }) => (
  <Card title="Stream" lead={<LiveState />}>
    <noscript>
      <div class="card-body">
        <Notice>The live stream needs JavaScript. The page of each webhook lists what was sent to it.</Notice>
      </div>
    </noscript>
    <div class="card-body js-only">
      <div class="form-inline">
        <div class="field">
          <label for="live-filter">Show only rows with</label>
          <input
            class="input"
            id="live-filter"
            type="search"
            placeholder="memory.created, an id, a word"
            data-live-filter
          />
        </div>
        <button class="button" type="button" data-live-pause aria-pressed="false">
          Pause
        </button>
      </div>
    </div>
    <EventList channels={channels}>
      <p>
        <a href="/portal/memory?store">Store a memory</a>, or publish an event below, and it appears here.
      </p>
    </EventList>
  </Card>
)

const Publish: FC<{ ctx: PageContext; error: AppError | null }> = ({ ctx, error }) => (
  <Card title="Publish an event" lead="Sent to all members who can read your default project.">
    <div class="card-body">
      <PostForm ctx={ctx} action="/portal/events/publish" creates error={error}>
        <Field
          name="type"
          label="Type"
          required
          value={ctx.form.text('type') || 'message.new'}
          error={errorAt(error, 'type')}
        />
        <Field
          name="data"
          label="Data"
          rows={4}
          required
          value={ctx.form.text('data') || SAMPLE_DATA}
          error={errorAt(error, 'data')}
        />
        <div>
          <button class="button" type="submit">
            Publish
          </button>
        </div>
      </PostForm>
    </div>
  </Card>
)
