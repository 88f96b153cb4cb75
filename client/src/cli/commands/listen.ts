import { Command, InvalidArgumentError } from 'commander'
import type { EventMessage } from '../../index.ts'
import { FORMS } from '../../stream/address.ts'
import { EXIT, exitOfStatus } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { finish } from '../listen/finish.ts'
import { Forwarder, type Forwarded } from '../listen/forward.ts'
import { hookOf } from '../listen/hook.ts'
import { listenUntilEnd } from '../listen/listen.ts'
import { toFailure } from '../service-failure.ts'
import { counted } from '../output/progress.ts'
import { visible, visibleJson, visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { collect, examples } from './options.ts'

interface Options {
  channel?: string[]
  type?: string[]
  forward?: string
  newSecret?: true
  after?: string
}

function channels(name: string, earlier?: string[]): string[] {
  if (FORMS.channels.test(name) && !name.includes(',')) return collect(name, earlier)
  throw new InvalidArgumentError('Must be at most 64 lower-case letters, digits and -, starting with a letter.')
}

function eventId(text: string): string {
  if (FORMS.last_event_id.test(text)) return text
  throw new InvalidArgumentError('Must be the id of an event, such as evt_….')
}

export const listenCommand = (ctx: Context): Command =>
  new Command('listen')
    .description('Show events as they arrive, or forward them to a webhook on this computer')
    .option('--channel <name>', 'channel to listen on: memory, conversation, … (repeatable, default: memory)', channels)
    .option('--type <type>', 'only events of this type, such as memory.created (repeatable)', collect)
    .option('--forward <url>', 'send each event to this URL, signed as a webhook')
    .option('--new-secret', 'create a new signing secret for --forward')
    .option('--after <id>', 'start after this event, from the last 24 hours', eventId)
    .addHelpText(
      'after',
      examples(
        'recollect listen',
        'recollect listen --channel memory --channel conversation | jq .type',
        'recollect listen --forward http://localhost:3000/hook',
      ) +
        '\n\nPress Ctrl-C to stop. A lost connection is restored automatically, with the events that it missed in the last 24 hours.' +
        '\nThe first run of --forward creates a signing secret (whsec_…), prints it once and saves it.' +
        '\nA failed request to the hook is retried three times.',
    )
    .action(async (options: Options, command: Command) => {
      const service = await ctx.service(command)
      const forwarder =
        options.forward === undefined ? null : await forwarderTo(ctx, service.url, options.forward, options)
      const types = options.type ? new Set(options.type) : null
      const shown = ctx.wantsJson(command)
        ? (event: EventMessage) => visibleJson(event)
        : (event: EventMessage) => describe(event)
      const failure = await listenUntilEnd(ctx.io, service, {
        channels: options.channel ?? ['memory'],
        ...(options.after === undefined ? {} : { lastEventId: options.after }),
        onEvent: (event, after) => {
          if (types && !types.has(event.type)) return
          forwarder?.push(event, after)
          if (!forwarder || !ctx.wantsJson(command)) void ctx.print(shown(event))
        },
        say: (line) => ctx.say(line),
      })
      if (forwarder) await finish(forwarder, (line) => ctx.say(visibleLine(line)))
      if (failure?.code === 'stream_ended')
        throw new Failure(exitOfStatus(failure.status), `The service ended the connection: ${failure.message}.`)
      if (failure) throw toFailure(failure, service.url)
    })

function describe({ id, type, timestamp, data }: EventMessage): string {
  const { memory_id, conversation_id } = data
  const about = [memory_id, conversation_id].find((id): id is string => typeof id === 'string') ?? ''
  return inColumns([timestamp.slice(11, 19), visibleLine(type).padEnd(26), about, id])
}

const inColumns = (texts: readonly string[]): string =>
  texts.map((text) => visible(text).replaceAll('\n', ' ')).join('  ')

async function forwarderTo(ctx: Context, url: string, target: string, { newSecret }: Options): Promise<Forwarder> {
  const parsed = URL.canParse(target) ? new URL(target) : null
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new Failure(EXIT.usage, `"${target}" is not a valid hook URL.`, {
      hint: 'Use a URL such as http://localhost:3000/hook',
    })
  }
  const { hook, fresh } = await hookOf(ctx.io, ctx.file, url, newSecret === true)
  if (fresh) ctx.say(`The signing secret, shown once and saved for later runs:\n\n  ${hook.secret}\n`)
  ctx.say(`Forwarding to ${visibleLine(target)}`)
  const report = (outcome: Forwarded) => {
    const { event, ok, attempts, reason } = outcome
    ctx.say(inColumns([ok ? 'forwarded' : 'FAILED', reason, event.type, event.id, counted(attempts, 'attempt')]))
  }
  return new Forwarder(ctx.io, { url: target, hook }, report)
}
