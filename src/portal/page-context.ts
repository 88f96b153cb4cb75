import type { System } from '../core/context.ts'
import type { User } from '../identity/index.ts'
import type { Api } from './api.ts'
import type { Flash } from './flash.ts'
import type { Form } from './form.ts'

/** A request for a public page, by a visitor or a signed-in user. */
export interface PublicPageContext {
  request: Request
  url: URL
  /** Of the service: `PUBLIC_ORIGIN`, else that of the request. */
  origin: string
  params: Record<string, string>
  form: Form
  system: System
  /** The audit actions of all endpoints. */
  auditActions: readonly string[]
  api: Api
  /** The CSRF token of the page's forms: bound to the session, or to the visitor cookie before there is one. */
  csrf: string
  /** `Set-Cookie` values of the response. */
  cookies: string[]
}

/** A request by a signed-in user. */
export interface PageContext extends PublicPageContext {
  session: string
  /** The reply of `/api/users/me`. */
  me: User
  flash: Flash | null
}
