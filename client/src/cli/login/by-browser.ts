import { createInterface } from 'node:readline'
import type { CredentialsFile, OAuthLogin } from '../config/credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { openBrowser } from './browser.ts'
import { startLoopback, type Loopback } from './loopback.ts'
import { discover, isKnown, newAuthorization, redeem, register, type Authorization } from './oauth.ts'

const PATIENCE_MS = 10 * 60_000

/**
 * Logs in with the browser of the person: authorization code, S256, a redirect to this computer. The application is
 * registered once for each deployment. Without a browser here, the person opens the address anywhere and pastes the one
 * that the browser ended at.
 */
export async function logInByBrowser(
  io: Io,
  file: CredentialsFile,
  url: string,
  { browser }: { browser: boolean },
): Promise<OAuthLogin> {
  const server = await discover(url)
  const loopback = await startLoopback(() => Buffer.from(io.randomBytes(16)).toString('base64url'))
  try {
    const { clientId, authorization } = await authorizationOf(file, url, server, loopback.redirectUri)
    const answer = await answerOf(io, loopback, authorization, browser)
    return await redeem(server, clientId, {
      ...authorization,
      redirectUri: loopback.redirectUri,
      answer,
      now: io.now(),
    })
  } finally {
    loopback.close()
  }
}

async function authorizationOf(
  file: CredentialsFile,
  url: string,
  server: Awaited<ReturnType<typeof discover>>,
  redirectUri: string,
): Promise<{ clientId: string; authorization: Authorization }> {
  const { client_id: known } = await file.deployment(url)
  if (known !== undefined) {
    const authorization = await newAuthorization(server, known, redirectUri)
    if (await isKnown(authorization)) return { clientId: known, authorization }
  }
  // Two logins at once register one application.
  const clientId = await file.updateDeployment(url, async (deployment) => {
    if (deployment.client_id === undefined || deployment.client_id === known) {
      deployment.client_id = await register(server)
    }
    return deployment.client_id
  })
  return { clientId, authorization: await newAuthorization(server, clientId, redirectUri) }
}

async function answerOf(io: Io, loopback: Loopback, authorization: Authorization, browser: boolean): Promise<URL> {
  const waits = new AbortController()
  const ended = endOf(io, waits.signal)
  const say = (line: string) => io.stderr.write(`${line}\n`)
  try {
    if (
      browser &&
      (await openBrowser(
        io,
        loopback.startUrl(() => authorization.url),
      ))
    ) {
      say('Opening your browser. Allow access there, then come back.')
      say('No browser? Stop with Ctrl-C and use: recollect login --no-browser')
      return await Promise.race([loopback.answer, ended])
    }
    say(`Open this address in a browser:\n\n  ${authorization.url}\n`)
    if (io.stdin.isTTY !== true) return await Promise.race([loopback.answer, ended])
    say(
      'If the browser is on another computer, it ends on a page that does not load: paste the address of that page here.',
    )
    return await Promise.race([loopback.answer, pasted(io, loopback.redirectUri, waits.signal), ended])
  } finally {
    waits.abort()
  }
}

/** Rejects upon Ctrl-C and when the person does not come back. */
function endOf(io: Io, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Failure(EXIT.interrupted, 'Stopped. You are not logged in.'))
    const timer = setTimeout(
      () => reject(new Failure(EXIT.unauthenticated, 'The login in the browser was not completed within 10 minutes.')),
      PATIENCE_MS,
    )
    io.interrupted.addEventListener('abort', stop, { once: true })
    over.addEventListener('abort', () => {
      clearTimeout(timer)
      io.interrupted.removeEventListener('abort', stop)
    })
    if (io.interrupted.aborted) stop()
  })
}

/** The first line that is an address of this login. */
function pasted(io: Io, redirectUri: string, over: AbortSignal): Promise<URL> {
  const lines = createInterface({ input: io.stdin, terminal: false })
  over.addEventListener('abort', () => {
    lines.close()
    io.stdin.pause()
  })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const text = line.trim()
      if (text.startsWith(`${redirectUri}?`) && URL.canParse(text)) resolve(new URL(text))
      else if (text !== '') io.stderr.write(`That address is not from this login. It must begin with ${redirectUri}?\n`)
    })
  })
}
