import { Brand, Document, pageHeaders } from '../../auth/index.ts'
import { z } from '@hono/zod-openapi'
import type { Child, FC } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { PUBLIC_READ } from '../../core/http/endpoint.ts'

const PAGES = [
  ['/api-reference', 'API'],
  ['/api-reference/events', 'Events'],
  ['/api-reference/errors', 'Errors'],
  ['/portal', 'Portal'],
] as const

/** The wordmark and the links to the pages of the reference; `path` is the current page. */
export const ReferenceHead: FC<{ path: string }> = ({ path }) => (
  <header class="reference-head">
    <Brand href="/" />
    <nav aria-label="Documents">
      {PAGES.map(([href, name]) => (
        <a href={href} aria-current={href === path ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  </header>
)

/** The layout of the reference's pages: header and one column. */
export const ReferencePage: FC<{ title: string; path: string; children?: Child }> = ({ title, path, children }) => (
  <Document title={title} class="reference">
    <ReferenceHead path={path} />
    <main class="reference-main" id="main">
      {children}
    </main>
  </Document>
)

type Node = HtmlEscapedString | Promise<HtmlEscapedString>

export const html = async (node: Node, headers: Record<string, string> = {}): Promise<Response> =>
  new Response(`<!doctype html>${await node}`, { headers: { ...pageHeaders(), ...headers } })

/** The declaration that all pages share. */
export const PAGE = {
  ...PUBLIC_READ,
  ignoresQuery: true,
  reply: { 200: z.string() },
  replyType: 'html',
  example: { reply: '<!doctype html>…' },
} as const
