import { endpoint } from '../../core/http/endpoint.ts'
import { html, PAGE, ReferenceHead } from './page.tsx'

/** The renderer loads nothing from other origins: no fonts, proxy, telemetry or assistant. */
const CONFIGURATION = JSON.stringify({
  url: '/api-reference/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { value: 'rck_YOUR_KEY' } },
  },
  documentDownloadType: 'json',
})

/** The renderer adds styles at run time, so this page allows inline styles. Scripts come from our own origin only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ExplorerPage = () => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>API reference · Recollect</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/api-reference.css" />
    </head>
    <body>
      <ReferenceHead path="/api-reference" />
      <noscript>
        This page needs JavaScript. The document itself is <a href="/api-reference/openapi.json">openapi.json</a>.
      </noscript>
      <script id="api-reference" type="application/json" data-configuration={CONFIGURATION} />
      <script src="/assets/explorer.js" />
      <script src="/assets/scalar.js" />
    </body>
  </html>
)

export const explorerEndpoint = endpoint({
  ...PAGE,
  path: '/api-reference',
  operationId: 'getReferencePage',
  summary: 'The API reference, to read and try out',
}).handle(() => html(<ExplorerPage />, { 'Content-Security-Policy': CONTENT_SECURITY_POLICY }))
