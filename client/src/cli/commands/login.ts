import { Command } from 'commander'
import type { Deployment, OAuthLogin } from '../config/credentials.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { forgetPrompts } from '../hook/session.ts'
import { logInByBrowser } from '../login/by-browser.ts'
import { revoke } from '../login/oauth.ts'
import { readSecret } from '../login/read-secret.ts'
import { visibleLine } from '../output/visible.ts'
import { readKey, Service } from '../service.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

interface Options {
  keyStdin?: true
  browser: boolean
}

export const loginCommand = (ctx: Context): Command =>
  new Command('login')
    .description('Log in with the browser, or save an API key')
    .option('--key-stdin', 'read an API key from standard input')
    .option('--no-browser', 'print the login URL instead of opening it')
    .addHelpText(
      'after',
      examples(
        'recollect login --url https://recollect.example.com',
        'recollect login --no-browser',
        'recollect login --key-stdin < key.txt',
      ) + '\n\nAn API key is never an argument, because arguments appear in the process list and the shell history.',
    )
    .action(async (options: Options, command: Command) => {
      const url = await ctx.address(command)
      const { user } = await logIn(ctx, url, options)
      const who = user?.email ?? 'an API key'
      await ctx.show(command, { url, method: options.keyStdin ? 'key' : 'login', user: user ?? null }, () =>
        visibleLine(`Logged in at ${url} as ${who}.`),
      )
    })

/** Logs in and keeps the login, which ends the one before it. */
export async function logIn(ctx: Context, url: string, { keyStdin, browser }: Options): Promise<Deployment> {
  if (ctx.io.env['RECOLLECT_API_KEY']) ctx.say('RECOLLECT_API_KEY is set: commands use it instead of this login.')
  const kept = keyStdin ? await byKey(ctx, url) : await byBrowser(ctx, url, browser)
  const earlier = await ctx.file.update((stored) => {
    const { oauth, api_key: _, user: __, ...others } = stored.deployments[url] ?? {}
    stored.deployments[url] = { ...others, ...kept }
    stored.current = url
    return { oauth, client_id: others.client_id }
  })
  await endEarlier(url, earlier)
  return kept
}

async function byBrowser(ctx: Context, url: string, browser: boolean): Promise<Deployment> {
  const oauth = await logInByBrowser(ctx.io, ctx.file, url, { browser })
  const credential = { accessToken: oauth.access_token }
  const user = await whoIs(new Service(ctx.io, url, { method: 'login', account: '', credential }))
  return { oauth, ...(user ? { user } : {}) }
}

async function byKey(ctx: Context, url: string): Promise<Deployment> {
  const apiKey = readKey(await readSecret(ctx.io, 'API key (hidden): '))
  const user = await whoIs(new Service(ctx.io, url, { method: 'key', account: '', credential: { apiKey } }))
  return { api_key: apiKey, ...(user ? { user } : {}) }
}

/** Whose credential it is; null where it may not tell, as a key of a workspace. Fails with one that is refused. */
async function whoIs(service: Service): Promise<{ id: string; email: string } | null> {
  try {
    const { id, email } = await service.call((client, call) => client.me.retrieve(call))
    return { id, email }
  } catch (error) {
    if (error instanceof Failure && error.exit === EXIT.forbidden) return null
    throw error
  }
}

/** The login before this one ends. Where the service cannot be told, it ends by itself. */
async function endEarlier(
  url: string,
  { oauth, client_id }: { oauth: OAuthLogin | undefined; client_id: string | undefined },
): Promise<void> {
  if (oauth && client_id !== undefined) await revoke(url, client_id, oauth).catch(() => {})
}

export const logoutCommand = (ctx: Context): Command =>
  new Command('logout')
    .description('Log out here and at the service')
    .addHelpText('after', examples('recollect logout', 'recollect logout --url https://recollect.example.com'))
    .action(async (_options: object, command: Command) => {
      const url = await ctx.address(command)
      const earlier = await ctx.file.updateDeployment(url, (deployment) => {
        const { oauth, client_id } = deployment
        delete deployment.oauth
        delete deployment.api_key
        delete deployment.user
        return { oauth, client_id }
      })
      await forgetPrompts(ctx.io)
      await endEarlier(url, earlier)
      await ctx.show(command, { url, logged_out: true }, () => `Logged out at ${url}.`)
    })
