import { writeFile } from 'node:fs/promises'
import type { Agent } from '../agent/agents.ts'
import { conversationOf } from '../agent/message-id.ts'
import { ranPath } from '../agent/ran.ts'
import { namespaceIn, repositoryOf } from '../agent/repository.ts'
import { decide, readSettings } from '../agent/settings.ts'
import { Spool, type Message } from '../agent/spool.ts'
import { accountOf } from '../config/account.ts'
import type { Credentials, Deployment } from '../config/credentials.ts'
import { credentialsPath } from '../config/paths.ts'
import { readPrivate } from '../config/private-file.ts'
import { fingerprint } from '../fingerprint.ts'
import { readMoment, type Moment } from './moment.ts'
import { outputOf } from './output.ts'
import { credentialOf, recall } from './recall.ts'
import { SessionFile } from './session.ts'

/** All that a hook touches of its process. */
export interface HookIo {
  env: NodeJS.ProcessEnv
  /** Milliseconds since 1970. */
  now: () => number
  /** Ends at the budget of a prompt. */
  signal: AbortSignal
  /** Starts the process that sends turns and refreshes the login, and does not wait for it. */
  startSender: () => Promise<void>
}

/** Where the turns of a session go. */
interface Target {
  agent: Agent
  url: string
  login: Deployment
  account: string
  namespace: string
  share: string | null
}

/** Handles one call of an agent. What it prints. A failure is silent: an agent works without its memory. */
export async function handle(io: HookIo, agent: Agent, event: string | undefined, text: string): Promise<string> {
  let at: Moment['at'] | null = null
  try {
    const moment = await readMoment(agent, event, text, io.env)
    at = moment?.at ?? null
    return outputOf(agent, at, moment ? await remember(io, agent, moment) : '')
  } catch {
    return outputOf(agent, at, '')
  }
}

async function remember(io: HookIo, agent: Agent, moment: Moment): Promise<string> {
  const settings = await readSettings(io.env)
  if (settings.url === null) return ''
  await writeFile(await ranPath(io.env, agent), '', { mode: 0o600 })
  const repository = await repositoryOf(moment.folder)
  const decision = await decide(settings, io.env, moment.folder, repository)
  const session = new SessionFile(io, agent, moment.session)
  const login = await loginAt(io.env, settings.url)
  const account = accountOf(login)
  // After a logout there is nobody whose memory it would be.
  if (!repository || !decision.on || account === null) {
    await session.forget()
    return ''
  }
  // Nobody waits for the end of a turn: what was said is kept, however slow the disk is.
  const namespace = await namespaceIn(io.env, repository, moment.at === 'answer' ? undefined : io.signal)
  const target = { agent, url: settings.url, login, account, namespace, share: decision.share }
  const owner = ownerOf(target)
  if (moment.at === 'session') return recalled(io, target, moment.session, null)
  if (moment.at === 'prompt') {
    await session.prompted({ ...moment, owner }, io.signal)
    return moment.recalls ? recalled(io, target, moment.session, moment.prompt) : ''
  }
  await session.answered({ ...moment, owner }, (messages) => keep(io, target, moment.session, messages))
  await io.startSender()
  return ''
}

/** Two targets have the same one where the same people read what goes there. */
const ownerOf = ({ url, account, namespace, share }: Target): string =>
  fingerprint(JSON.stringify([url, account, namespace, share]))

async function loginAt(env: NodeJS.ProcessEnv, url: string): Promise<Deployment> {
  const { deployments } = JSON.parse((await readPrivate(credentialsPath(env))) ?? '{}') as Partial<Credentials>
  return deployments?.[url] ?? {}
}

async function recalled(
  io: HookIo,
  { agent, url, login, namespace, share }: Target,
  session: string,
  prompt: string | null,
): Promise<string> {
  const credential = credentialOf(login, io.now())
  // Turns of an earlier hook that are still here, and a login that has expired.
  if ((login.oauth && !credential) || (await new Spool(io.env).names()).length > 0) await io.startSender()
  if (!credential) return ''
  const question = { url, credential, namespace, project: share, conversation: conversationOf(agent, session), prompt }
  return recall(question, io.signal)
}

async function keep(
  io: HookIo,
  { agent, url, account, namespace, share }: Target,
  session: string,
  messages: Message[],
): Promise<void> {
  const body = {
    conversation_id: conversationOf(agent, session),
    messages,
    context: { namespace, ...(share === null ? {} : { project_id: share }) },
    visibility: share === null ? ('private' as const) : ('project' as const),
  }
  await new Spool(io.env).add({ url, account, body }, io.now())
}
