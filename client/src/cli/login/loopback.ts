import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server of a login on this computer: it sends the browser to the service and takes its answer. */
export interface Loopback {
  /** Where the service leads back to (RFC 8252 §7.3). */
  redirectUri: string
  /** Where the browser begins. It works once. */
  startUrl(authorizeUrl: () => string): string
  /** The address that the browser came back to. */
  answer: Promise<URL>
  close(): void
}

const CALLBACK = '/callback'

/**
 * Listens on a free port of 127.0.0.1. The page that the browser opens is an address of this server, which leads on to
 * the service: the process list shows it, and not the parameters of the login. It works once, so a program that reads it
 * there is too late. A browser that began here comes back with the cookie it got, so that nobody else's answer counts.
 */
export async function startLoopback(randomText: () => string): Promise<Loopback> {
  const { promise, resolve } = deferred<URL>()
  const start = `/login/${randomText()}`
  const [cookieName, cookieValue] = [`recollect_login_${randomText().slice(0, 8)}`, randomText()]
  let authorizeUrl: (() => string) | null = null
  let begun = false

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', origin())
    // A page of another origin reaches this server by a name of its own (DNS rebinding).
    if (request.headers.host !== new URL(origin()).host || request.method !== 'GET') return respond(response, 404)
    if (url.pathname === start && authorizeUrl && !begun) {
      begun = true
      const cookie = `${cookieName}=${cookieValue}; Path=${CALLBACK}; HttpOnly; SameSite=Lax`
      return respond(response, 302, { Location: authorizeUrl(), 'Set-Cookie': cookie })
    }
    if (url.pathname === start) return respond(response, 410, {}, PAGES.used)
    if (url.pathname !== CALLBACK) return respond(response, 404)
    const cookies = (request.headers.cookie ?? '').split('; ')
    if (begun && !cookies.includes(`${cookieName}=${cookieValue}`)) return respond(response, 403, {}, PAGES.other)
    respond(response, 200, {}, url.searchParams.has('code') ? PAGES.done : PAGES.denied)
    resolve(url)
  }

  const server = createServer(handle)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    redirectUri: `${origin()}${CALLBACK}`,
    startUrl(url) {
      authorizeUrl = url
      return `${origin()}${start}`
    },
    answer: promise,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`

const PAGES = {
  done: page('Back to the command line', 'You can close this page. The command line shows whether the login worked.'),
  denied: page('Not logged in', 'The command line was not given access. You can close this page.'),
  used: page('This address has already been used', 'Start again with <code>recollect login</code>.'),
  other: page('This login started elsewhere', 'Open it in the browser where it started.'),
}

function respond(response: ServerResponse, status: number, headers: Record<string, string> = {}, body = ''): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
    ...headers,
  })
  response.end(body)
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}
