import type { HtmlEscapedString } from 'hono/utils/html'
import { page, pageHeaders } from '../auth/index.ts'
import type { AppError } from '../core/errors.ts'
import { clearFlash, sealFlash, type Flash } from './flash.ts'
import { ShownAgain, ShownAgainContext } from './components/shown-again.tsx'
import { ErrorCard, ErrorPage } from './components/error.tsx'
import type { PublicPageContext, PageContext } from './page-context.ts'

type Node = HtmlEscapedString | Promise<HtmlEscapedString>

/** Renders a page. It shows the flash of this request, so its cookie is cleared. A refusal shows again little of what was sent. */
export function renderPage(ctx: PublicPageContext | PageContext, node: Node, status = 200): Promise<Response> {
  const cookies = 'flash' in ctx && ctx.flash ? [...ctx.cookies, clearFlash()] : ctx.cookies
  const wasSent = (name: string) => ctx.form.has(name) || ctx.url.searchParams.has(name)
  const shown = status < 400 ? null : new ShownAgain(wasSent)
  return page(<ShownAgainContext.Provider value={shown}>{node}</ShownAgainContext.Provider>, {
    status,
    headers: cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]),
  })
}

/** 303 to a path of the portal: POST, redirect, GET. */
export function redirect(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers(pageHeaders())
  headers.delete('Content-Type')
  headers.set('Location', path)
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** 303 after a form action, with a message for the next page. */
export async function redirectWithFlash(ctx: PageContext, path: string, flash: Flash): Promise<Response> {
  return redirect(path, [...ctx.cookies, await sealFlash(flash, ctx.session, ctx.system.random)])
}

/** A page for an error that belongs to no form. `ctx` is null where no user is signed in. */
export function renderError(ctx: PageContext | null, error: AppError, requestId: string): Promise<Response> {
  return page(
    ctx ? (
      <ErrorPage ctx={ctx} error={error} requestId={requestId} />
    ) : (
      <ErrorCard error={error} requestId={requestId} />
    ),
    { status: error.status, headers: error.headers },
  )
}
