import { Brand, Document, pageHeaders } from '../auth/index.ts'
import { z } from '@hono/zod-openapi'
import type { Child, FC } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'

/** What the pages of the reference have in common: the wordmark, links to one another, one column. */
export const ReferencePage: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Document title={title} class="reference">
    <header class="reference-head">
      <Brand href="/" />
      <nav aria-label="Documents">
        <a href="/api-reference">API</a>
        <a href="/api-reference/errors">Errors</a>
        <a href="/portal">Portal</a>
      </nav>
    </header>
    <main class="reference-main" id="main">
      {children}
    </main>
  </Document>
)

type Node = HtmlEscapedString | Promise<HtmlEscapedString>

export const html = async (node: Node, headers: Record<string, string> = {}): Promise<Response> =>
  new Response(`<!doctype html>${await node}`, { headers: { ...pageHeaders(), ...headers } })

/** Pages ignore parameters that they do not know (contract §1). */
export const AnyQuery = z.looseObject({})

/** What every page's endpoint declares. */
export const PAGE = {
  method: 'get',
  tag: 'service',
  scope: null,
  auth: 'none',
  limit: null,
  audit: null,
  query: AnyQuery,
  reply: { 200: z.string() },
  replyType: 'html',
} as const
