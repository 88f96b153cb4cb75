import type { Child, FC } from 'hono/jsx'
import { endpoint } from '../../core/http/endpoint.ts'
import { asyncApiDocument, eventMessages, type Message, type Schema } from '../../events/index.ts'
import { html, PAGE, ReferencePage } from './page.tsx'
import { JsonExample, Prose, Members } from './schema.tsx'

type Document = ReturnType<typeof asyncApiDocument>

const Section: FC<{ id: string; title: Child; lead?: string; children?: Child }> = (props) => (
  <section class="card" id={props.id} aria-labelledby={`${props.id}-title`}>
    <div class="card-head">
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.lead !== undefined && (
        <p>
          <Prose text={props.lead} />
        </p>
      )}
    </div>
    {props.children}
  </section>
)

const dataOf = (message: Message): Schema => message.payload.properties?.['data'] ?? {}

/** Event types with the same `data`, which is listed once. The page lists the envelope around `data` at its top. */
const EventTypes: FC<{ messages: Message[] }> = ({ messages }) => {
  const names = messages.map(({ name }) => name).join(', ')
  const [data] = messages.map(dataOf)
  return (
    <div class="card-body">
      {messages.map((message) => (
        <div class="stack" id={message.name}>
          <h3>
            <code>{message.name}</code>
          </h3>
          <p>{message.summary}</p>
          <details class="disclosure">
            <summary>
              Example<span class="sr-only"> of {message.name}</span>
            </summary>
            <JsonExample value={message.examples?.[0]?.payload} label={`Example of ${message.name}`} />
          </details>
        </div>
      ))}
      {data?.properties && Object.keys(data.properties).length > 0 && (
        <div class="stack">
          <h4>
            <code>data</code>
          </h4>
          <Members schema={data} label={`data of ${names}`} />
        </div>
      )}
    </div>
  )
}

const byMembers = (messages: Message[]): Message[][] => [
  ...Map.groupBy(messages, (message) => JSON.stringify(dataOf(message).properties)).values(),
]

const Contents: FC<{ channels: Map<string, Message[]> }> = ({ channels }) => (
  <nav class="card card-body" aria-label="Contents">
    <p class="row">
      <a href="#message">The message</a>
      <a href="#websocket">WebSocket</a>
      <a href="#webhook">Webhooks</a>
      <a href="#customEvent">Your own events</a>
    </p>
    {[...channels].map(([channel, messages]) => (
      <p class="row">
        <a href={`#${channel}`}>{channel}</a>
        {messages.map(({ name }) => (
          <a class="mono" href={`#${name}`}>
            {name}
          </a>
        ))}
      </p>
    ))}
  </nav>
)

const WebSocketSection: FC<{ document: Document }> = ({ document }) => {
  const { realtime } = document.servers
  const messages = eventMessages()
  const { securitySchemes } = document.components
  const channel = document.channels['/realtime']
  const address = `${realtime.protocol}://${realtime.url}`
  return (
    <Section id="websocket" title="WebSocket" lead={realtime.description}>
      <div class="card-body">
        <p>
          <Prose text={channel.description} /> <Prose text={document.channels['/api/events/stream'].description} />
        </p>
        <div class="code">
          <pre tabindex={0} role="group" aria-label="A connection">
            <code>{`npx wscat -c "${address}/realtime?channels=memory,conversation&token=…"`}</code>
          </pre>
        </div>
        <Members schema={channel.bindings.ws.query} label="Parameters of a connection" />
        <h3>Credential</h3>
        <p>
          Send one of these. A browser can send the subprotocols <code>recollect</code> and <code>bearer.…</code> with
          the token instead.
        </p>
        <ul class="plain">
          {Object.values(securitySchemes).map((scheme) => (
            <li>
              <code>{'name' in scheme ? scheme.name : 'Authorization'}</code>
              {'description' in scheme && <span class="muted"> {scheme.description}</span>}
            </li>
          ))}
        </ul>
        <h3>What a client may send</h3>
        <p>
          <Prose text={channel.publish.summary} />
        </p>
        {['ping', 'ack'].map((name) => (
          <Members schema={messages[name]?.payload ?? {}} label={`Members of ${name}`} />
        ))}
      </div>
    </Section>
  )
}

const WebhookSection: FC<{ document: Document }> = ({ document }) => {
  const { webhook } = eventMessages()
  const [example] = webhook?.examples ?? []
  return (
    <Section id="webhook" title="Webhooks" lead={document.channels.webhook.description}>
      <div class="card-body">
        <p>{webhook?.summary}</p>
        <h3>Headers</h3>
        <Members schema={webhook?.headers ?? {}} label="Headers of a webhook request" />
        <JsonExample value={example?.headers} label="Example of the headers" />
        <h3>Body</h3>
        <JsonExample value={example?.payload} label="Example of the body" />
      </div>
    </Section>
  )
}

const EventsPage: FC<{ document: Document }> = ({ document }) => {
  const messages = eventMessages()
  const builtIn = Object.values(messages).filter((message) => message.tags)
  const channels = Map.groupBy(builtIn, (message) => message.tags?.[0]?.name ?? '')
  const { customEvent } = messages
  return (
    <ReferencePage title="Events" path="/api-reference/events">
      <h1>Events</h1>
      <p>
        The <a href="/api-reference/asyncapi.json">AsyncAPI {document.asyncapi} document</a>, for reading. Generate
        clients from the document itself.
      </p>
      <Contents channels={channels} />
      <Section id="message" title="The message" lead={document.info.description}>
        <div class="card-body">
          <Members schema={customEvent?.payload ?? {}} label="Members of every event" />
        </div>
      </Section>
      <WebSocketSection document={document} />
      <WebhookSection document={document} />
      {[...channels].map(([channel, types]) => (
        <Section
          id={channel}
          title={
            <>
              Channel <code>{channel}</code>
            </>
          }
          lead={document.tags.find(({ name }) => name === channel)?.description ?? ''}
        >
          {byMembers(types).map((messages) => (
            <EventTypes messages={messages} />
          ))}
        </Section>
      ))}
      <Section id="customEvent" title="Your own events" lead={customEvent?.summary ?? ''}>
        <div class="card-body">
          <JsonExample value={customEvent?.examples?.[0]?.payload} label="Example of an event of your own" />
        </div>
      </Section>
    </ReferencePage>
  )
}

export const eventsPageEndpoint = endpoint({
  ...PAGE,
  path: '/api-reference/events',
  operationId: 'getEventsPage',
  summary: 'Every event and how it arrives, for reading',
}).handle(({ ctx }) => html(<EventsPage document={asyncApiDocument(ctx.client.origin)} />))
