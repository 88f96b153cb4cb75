import { endpoint } from '../../core/http/endpoint.ts'
import { ERROR_GUIDE } from '../../core/http/error-guide.ts'
import { ERROR_STATUS, type ErrorCode } from '../../core/errors.ts'
import { html, PAGE, ReferencePage } from './page.tsx'

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]

const ErrorsPage = () => (
  <ReferencePage title="Errors" path="/api-reference/errors">
    <h1>Errors</h1>
    <p>
      Every failure is an <code>application/problem+json</code> document (RFC 9457). Its <code>code</code> is one of
      these and its <code>type</code> is a link to this page. Include its <code>request_id</code> when you report one.
    </p>
    {codes.map((code) => (
      <section class="card" id={code} aria-labelledby={`${code}-title`}>
        <div class="card-head">
          <h2 id={`${code}-title`}>
            <code>{code}</code> <span class="badge badge-plain">{ERROR_STATUS[code]}</span>
          </h2>
          <p>{ERROR_GUIDE[code].title}</p>
        </div>
        <div class="card-body">
          <dl class="facts">
            <dt>Cause</dt>
            <dd>{ERROR_GUIDE[code].cause}</dd>
            <dt>Remedy</dt>
            <dd>{ERROR_GUIDE[code].remedy}</dd>
          </dl>
        </div>
      </section>
    ))}
  </ReferencePage>
)

export const errorsEndpoint = endpoint({
  ...PAGE,
  path: '/api-reference/errors',
  operationId: 'getErrorsPage',
  summary: 'Every error code, its cause and how to fix it',
}).handle(() => html(<ErrorsPage />))
