import type { FC } from 'hono/jsx'
import { CardPage } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { PageContext } from '../page-context.ts'
import { Shell } from './shell.tsx'

interface Props {
  error: AppError
  requestId: string
}

const TITLES: Partial<Record<AppError['code'], string>> = {
  not_found: 'Page not found',
  rate_limited: 'A moment, please',
  forbidden: 'You cannot do this',
  dependency_unavailable: 'The service is unavailable right now',
  internal: 'Something went wrong',
}

const titleOf = (error: AppError): string => TITLES[error.code] ?? 'This did not work'

const Explanation: FC<Props> = ({ error, requestId }) => (
  <>
    <p>
      {error.code === 'not_found' ? 'It was deleted, it never existed, or you cannot see it.' : error.detail}
      {error.headers['Retry-After'] ? ` Try again in ${error.headers['Retry-After']} s.` : ''}
    </p>
    <p class="small muted">
      Request <code>{requestId}</code>
    </p>
  </>
)

export const ErrorPage: FC<Props & { ctx: PageContext }> = ({ ctx, error, requestId }) => (
  <Shell ctx={ctx} title={titleOf(error)} current={null}>
    <div class="card empty">
      <Explanation error={error} requestId={requestId} />
      <a class="button" href="/portal">
        Go to the overview
      </a>
    </div>
  </Shell>
)

export const ErrorCard: FC<Props> = ({ error, requestId }) => (
  <CardPage title={titleOf(error)}>
    <h1>{titleOf(error)}</h1>
    <Explanation error={error} requestId={requestId} />
    <a class="button" href="/portal">
      Go to the portal
    </a>
  </CardPage>
)
