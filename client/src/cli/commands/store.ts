import { Command, Option } from 'commander'
import { LONGEST_TTL } from '../convert/line.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readAll } from '../io.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import {
  collect,
  contextOf,
  defined,
  duration,
  examples,
  jsonObject,
  tagOption,
  wholeNumber,
  withContext,
  type ContextOptions,
} from './options.ts'

interface Options extends ContextOptions {
  tag?: string[]
  ttl?: number
  customId?: string
  occurredAt?: string
  metadata?: Record<string, unknown>
  private?: true
  deduplicate?: true
  supersedes?: string[]
  reason?: string
  wait?: number
}

export const storeCommand = (ctx: Context): Command =>
  withContext(
    new Command('store')
      .description('Store a text')
      .argument('[text]', 'text to store; read from standard input if omitted or -'),
    'namespace to store it in',
  )
    .addOption(tagOption())
    .addOption(
      new Option('--ttl <time>', `lifetime: seconds, or 90m, 12h, 30d, 4w; up to ${LONGEST_TTL} s`).argParser(duration),
    )
    .option('--custom-id <id>', 'your own id; an existing item with this id is updated')
    .option('--occurred-at <time>', 'when it happened: ISO 8601 or a date')
    .addOption(new Option('--metadata <json>', 'your own JSON object').argParser(jsonObject))
    .option('--private', 'visible only to you and the admins of the workspace')
    .option('--deduplicate', 'return the existing item if one has the same text')
    .addOption(
      new Option('--supersedes <id>', 'item that this one replaces and retires (repeatable)').argParser(collect),
    )
    .option('--reason <text>', 'why it is replaced')
    .addOption(
      new Option('--wait <ms>', 'wait up to this long for semantic search to find it').argParser(
        wholeNumber(0, 10_000),
      ),
    )
    .addHelpText(
      'after',
      examples(
        'recollect store "Ada prefers tea without sugar." --tag ada',
        'recollect store --ttl 30d --custom-id allergy < allergy.txt',
        'recollect store "The office is in Porto." --supersedes mem_01J… --reason moved',
        'git log -1 --format=%B | recollect store --tag commits',
      ),
    )
    .action(async (text: string | undefined, options: Options, command: Command) => {
      const content = await textFor(ctx, text)
      const service = await ctx.service(command)
      const context = contextOf(options)
      const item = await service.call((client, call) =>
        client.memory.store(
          {
            content: { text: content, ...defined({ metadata: options.metadata }) },
            ...(Object.keys(context).length > 0 ? { context } : {}),
            ...defined({
              tags: options.tag,
              ttl: options.ttl,
              custom_id: options.customId,
              occurred_at: options.occurredAt,
              visibility: options.private && ('private' as const),
              deduplicate: options.deduplicate,
              supersedes: options.supersedes,
              supersede_reason: options.reason,
              wait_ms: options.wait,
            }),
          },
          call,
        ),
      )
      for (const { path, kind } of item.warnings ?? []) ctx.say(visibleLine(`A secret was found in ${path}: ${kind}.`))
      await ctx.show(command, item, ({ id, embedding_status, version }) => {
        const done = item.deduplicated === true ? 'Already stored' : version === 1 ? 'Stored' : 'Updated'
        return `${done}: ${visibleLine(id)} (embedding ${visibleLine(embedding_status)})`
      })
    })

async function textFor({ io }: Context, text: string | undefined): Promise<string> {
  if (text !== undefined && text !== '-') return text
  if (text === undefined && io.stdin.isTTY === true) {
    throw new Failure(EXIT.usage, 'No text was given.', {
      hint: 'Pass it as an argument, or pipe it: recollect store < notes.txt',
    })
  }
  const read = await readAll(io.stdin)
  return read.replace(/\r?\n$/, '')
}
