import type { Child, FC } from 'hono/jsx'
import { Card } from '../components/elements.tsx'
import { StoreSnippets } from '../components/store-snippets.tsx'

interface Started {
  key: boolean
  memory: boolean
  webhook: boolean
  agent: boolean
}

/** The two ways to begin, with what is done of each. */
export const Paths: FC<{ origin: string; projectId: string; started: Started }> = ({ origin, projectId, started }) => (
  <div class="grid-2 grid-wide">
    <Card title="I build an app" lead="Four steps to a memory that tells you when it changes.">
      <ol class="steps">
        <Step done={started.key} title="Create an API key" href="/portal/keys/new" link="Create key">
          Your program sends it in a header. It is shown once.
        </Step>
        <Step done={started.memory} title="Store a memory" href="/portal/memory?store" link="Store one here">
          <StoreSnippets origin={origin} projectId={projectId} />
        </Step>
        <Step done={started.memory} title="Find it by meaning" href="/portal/memory#search" link="Search here">
          It is found by keyword immediately, and by meaning as soon as its status is “completed”.
        </Step>
        <Step done={started.webhook} title="Receive changes" href="/portal/webhooks" link="Add a webhook">
          A signed request to your server for each event, which is retried until it arrives.
        </Step>
      </ol>
    </Card>
    <Card title="I use an agent" lead="Claude Code, Cursor and others.">
      <ol class="steps">
        <Step done={started.agent} title="Connect it" href="/portal/agents" link="Connect an agent">
          Paste one address into your agent and sign in.
        </Step>
        <Step done={started.agent && started.memory} title="Tell it something to remember">
          For example: “Remember that our releases are on Tuesday.”
        </Step>
        <Step done={false} title="Ask for it in another session">
          “When do we release?” What it remembers appears here.
        </Step>
      </ol>
    </Card>
  </div>
)

interface StepProps {
  done: boolean
  title: string
  /** Where it is done, and the words of the link; none where it is done elsewhere. */
  href?: string
  link?: string
  children?: Child
}

const Step: FC<StepProps> = (props) => (
  <li class={props.done ? 'done' : undefined}>
    <div class="step-body">
      <h3>
        {props.title}
        {props.done && <span class="sr-only"> (done)</span>}
      </h3>
      <div class="muted">{props.children}</div>
      {props.href && (
        <div>
          <a class="button button-small" href={props.href}>
            {props.link}
          </a>
        </div>
      )}
    </div>
  </li>
)
