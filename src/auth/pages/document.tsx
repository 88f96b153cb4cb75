import type { Child, FC } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { pageHeaders } from './page-headers.ts'

export type Theme = 'light' | 'dark' | 'system'

/** The document of every page. Styles and the script are files of this origin. */
export const Document: FC<{ title: string; theme?: Theme; class?: string; children?: Child }> = (props) => (
  <html lang="en" data-theme={props.theme ?? 'system'}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{props.title} · Recollect</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/recollect.css" />
      <script src="/assets/recollect.js" type="module" />
    </head>
    <body class={props.class}>{props.children}</body>
  </html>
)

/** The logo with the name of the product. */
export const Brand: FC<{ href?: string }> = ({ href = '/portal' }) => (
  <a class="brand" href={href}>
    <svg class="brand-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <rect class="brand-tile" width="24" height="24" rx="6" />
      <path class="brand-line" d="M7 8.5h10M7 12h6.5M7 15.5h3.5" />
      <circle class="brand-dot" cx="16.5" cy="15" r="2" />
    </svg>
    Recollect
  </a>
)

/** A page with one card in the middle, for login, consent and errors. */
export const CardPage: FC<{ title: string; theme?: Theme; children?: Child }> = (props) => (
  <Document title={props.title} {...(props.theme ? { theme: props.theme } : {})} class="card-page">
    <header class="card-page-brand">
      <Brand href="/" />
    </header>
    <main class="card card-narrow" id="main">
      {props.children}
    </main>
  </Document>
)

/** The response with a whole page. */
export async function page(
  node: HtmlEscapedString | Promise<HtmlEscapedString>,
  options: { status?: number; headers?: HeadersInit; formAction?: readonly string[] } = {},
): Promise<Response> {
  const headers = new Headers(pageHeaders(options))
  new Headers(options.headers).forEach((value, name) => headers.append(name, value))
  return new Response(`<!doctype html>${await node}`, { status: options.status ?? 200, headers })
}
