import { z } from '@hono/zod-openapi'
import { endpoint } from '../../core/http/endpoint.ts'
import { SAMPLE_ORIGIN } from '../../core/sample.ts'
import { firstCalls } from '../first-calls.ts'
import { html, PAGE, ReferencePage } from './page.tsx'

const SUMMARY =
  'Memory for agents and apps: store texts, find them by meaning and by keyword, and receive an event for every change.'

const LandingSchema = z
  .object({
    name: z.literal('Recollect'),
    summary: z.string(),
    links: z.record(z.string(), z.string()),
  })
  .openapi('Landing')

const linksOf = (origin: string): Record<string, string> => ({
  api_reference: `${origin}/api-reference`,
  openapi: `${origin}/api-reference/openapi.json`,
  asyncapi: `${origin}/api-reference/asyncapi.json`,
  events: `${origin}/api-reference/events`,
  errors: `${origin}/api-reference/errors`,
  portal: `${origin}/portal`,
  health: `${origin}/health`,
  ready: `${origin}/ready`,
})

const LandingPage = ({ origin }: { origin: string }) => (
  <ReferencePage title="Memory for agents and apps" path="/">
    <h1>Recollect</h1>
    <p>{SUMMARY}</p>
    <p class="row">
      <a class="button button-primary" href="/portal">
        Open the portal
      </a>
      <a class="button" href="/api-reference">
        Read the API reference
      </a>
    </p>
    <section class="card" aria-labelledby="first">
      <div class="card-head">
        <h2 id="first">Store a memory, find it again</h2>
        <p>
          Create a key in the portal under API Keys, put it into these commands and run them. The question and its
          answer have no words in common.
        </p>
      </div>
      <div class="card-body">
        <div class="code">
          <pre tabindex={0} role="group" aria-label="Two calls">
            <code>{firstCalls(origin)}</code>
          </pre>
          <button
            class="button button-small js-only"
            type="button"
            data-copy={firstCalls(origin)}
            aria-label="Copy: two calls"
          >
            Copy
          </button>
        </div>
      </div>
    </section>
    <section class="card" aria-labelledby="documents">
      <div class="card-head">
        <h2 id="documents">Documents</h2>
      </div>
      <ul class="list">
        <li>
          <a href="/api-reference">API reference</a>
          <span class="muted">
            Every endpoint, to read and try out · <a href="/api-reference/openapi.json">OpenAPI 3.1</a>
          </span>
        </li>
        <li>
          <a href="/api-reference/events">Events</a>
          <span class="muted">
            Every event, over WebSocket and webhooks · <a href="/api-reference/asyncapi.json">AsyncAPI 2.6</a>
          </span>
        </li>
        <li>
          <a href="/api-reference/errors">Errors</a>
          <span class="muted">Every code, its cause and how to fix it</span>
        </li>
      </ul>
    </section>
  </ReferencePage>
)

export const landingEndpoint = endpoint({
  ...PAGE,
  path: '/',
  operationId: 'getLandingPage',
  summary: 'Links to the documents',
  description: 'JSON, or an HTML page if `Accept` prefers `text/html`.',
  ignoresQuery: true,
  reply: { 200: LandingSchema },
  replyType: 'json',
  example: { reply: { name: 'Recollect', summary: SUMMARY, links: linksOf(SAMPLE_ORIGIN) } },
}).handle(({ ctx, request }) => {
  const { origin } = ctx.client
  if (!request.headers.get('accept')?.includes('text/html')) {
    return Response.json(
      { name: 'Recollect', summary: SUMMARY, links: linksOf(origin) },
      { headers: { Vary: 'Accept' } },
    )
  }
  return html(<LandingPage origin={origin} />, { Vary: 'Accept' })
})
