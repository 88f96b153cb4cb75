import type { FC } from 'hono/jsx'
import { CardPage, CSRF_FIELD, Visible, type Theme } from '../../pages/index.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { isDocument, isOwned, type Client } from '../clients/client.ts'
import { isOnThisComputer } from '../redirect-uri.ts'
import { agentProject } from '../resources.ts'
import { SCOPE_TEXTS } from '../scopes.ts'

/** The signed-in user, as the page shows them. */
export interface SignedInUser {
  name: string
  email: string
  theme: Theme
}

interface ConsentProps {
  user: SignedInUser
  request: AuthorizationRequest
  csrf: string
  /** The path and query of this page, to which the form and a sign-in with another account lead back. */
  here: string
}

/** Shows which application asks for which scopes, and where the answer leads. */
export const ConsentPage: FC<ConsentProps> = ({ user, request, csrf, here }) => (
  <CardPage title="Allow access" theme={user.theme}>
    <h1>
      Allow <Visible text={request.client.name} /> to use your Recollect account?
    </h1>
    <p class="consent-lead">It is asking to:</p>
    <ul class="consent-scopes">
      {request.scopes.map((scope) => (
        <li>
          {SCOPE_TEXTS[scope]} <span class="mono small muted">{scope}</span>
        </li>
      ))}
    </ul>
    <p class="small muted">
      It can access only what you can access yourself{reach(request)}. You can revoke this in the portal at any time.
    </p>
    <form method="post" action={here} class="form">
      <input type="hidden" name={CSRF_FIELD} value={csrf} />
      <div class="consent-actions">
        <button class="button" type="submit" name="decision" value="deny">
          Cancel
        </button>
        <button class="button button-primary" type="submit" name="decision" value="approve">
          Allow
        </button>
      </div>
    </form>
    <div class="consent-foot small muted">
      <p>
        You will go on to <Destination uri={request.redirectUri} />. <Warning client={request.client} />
      </p>
      <p>
        Signed in as <Visible text={user.email} />.{' '}
        <a href={`/portal/sign-in?return=${encodeURIComponent(here)}`}>Use another account</a>
      </p>
    </div>
  </CardPage>
)

/** Where the answer leads. On the user's own computer every host looks the same, so none is named. */
const Destination: FC<{ uri: string }> = ({ uri }) =>
  isOnThisComputer(uri) ? (
    <strong>an application on this computer</strong>
  ) : (
    <strong class="consent-host">{new URL(uri).host}</strong>
  )

/** Who vouches for an application that no user of ours made: the host of its document, or nobody. */
const Warning: FC<{ client: Client }> = ({ client }) => {
  if (isOwned(client)) return null
  if (!isDocument(client)) return <>This application registered itself. Make sure that you trust it.</>
  return (
    <>
      Its name comes from <strong class="consent-host">{new URL(client.id).host}</strong>. Make sure that you trust this
      site.
    </>
  )
}

function reach({ resource }: AuthorizationRequest): string {
  if (resource === null) return ''
  const project = agentProject(new URL(resource).pathname)
  return project ? `, as an agent and in the project ${project} only` : ', and only as an agent'
}

interface RefusedProps {
  title: string
  detail: string
  /** What the person can do. Default: nothing, since the link is the application's. */
  advice?: string | undefined
  requestId: string
}

const CLOSE = 'You can close this page. If an application sent you here, report this to its developers.'

/** The page for a request that may redirect nowhere (RFC 6749 §4.1.2.1). */
export const RefusedPage: FC<RefusedProps> = ({ title, detail, advice = CLOSE, requestId }) => (
  <CardPage title={title}>
    <h1>{title}</h1>
    <p>{detail}</p>
    <p class="muted">{advice}</p>
    <p class="small muted">
      Request <span class="mono">{requestId}</span>
    </p>
  </CardPage>
)
