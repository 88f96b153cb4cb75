import { InvalidArgumentError, Option, type Command } from 'commander'
import { instantOf } from '../convert/instant.ts'
import { unsafeIntegerIn } from '../convert/integers.ts'
import { isObject } from '../convert/records.ts'
import { readJson } from '../read-json.ts'

/** The lines below a command's options. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`

/** For a repeatable option. */
export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value]

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
  }

export const fraction = (text: string): number => {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('Must be a number from 0 to 1.')
}

export function jsonObject(text: string): Record<string, unknown> {
  const value = readJson(text)
  if (!isObject(value)) throw new InvalidArgumentError('Must be a JSON object, such as {"source": "notes"}.')
  const unsafe = unsafeIntegerIn(text)
  if (unsafe === undefined) return value
  throw new InvalidArgumentError(`JSON numbers do not keep ${unsafe} exactly: put it in quotes.`)
}

const DURATION = /^(\d+)([smhdw]?)$/
const SECONDS = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const

/** Seconds, or a number with s, m, h, d or w behind it. */
export function duration(text: string): number {
  const [, number = '', unit = ''] = DURATION.exec(text) ?? []
  if (number === '') throw new InvalidArgumentError('Must be seconds, or a number with s, m, h, d or w, such as 30d.')
  return Number(number) * SECONDS[unit as keyof typeof SECONDS]
}

/** Milliseconds since 1970. A date alone is its midnight in UTC. */
export function instant(text: string): number {
  const iso = instantOf(text)
  if (iso === undefined) throw new InvalidArgumentError('Must be a date, such as 2026-01-31 or 2026-01-31T10:00:00Z.')
  return Date.parse(iso)
}

export interface ContextOptions {
  project?: string
  namespace?: string
  conversation?: string
  subject?: string
}

/** Where items are: the options of every command that stores or looks for some. */
export const withContext = (command: Command, namespace = 'namespace, or * for every one that you can read'): Command =>
  command
    .option('-p, --project <id>', 'project (default: that of your key or account)')
    .option('-n, --namespace <name>', namespace)
    .option('-c, --conversation <id>', 'conversation id')
    .option('--subject <name>', 'person or thing that it is about')

/** The context of contract §3. */
export const contextOf = ({ project, namespace, conversation, subject }: ContextOptions) => ({
  ...(project === undefined ? {} : { project_id: project }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(conversation === undefined ? {} : { conversation_id: conversation }),
  ...(subject === undefined ? {} : { subject }),
})

/** The same as the query of a list or an export. */
export const contextQuery = (options: ContextOptions): Record<string, string> => contextOf(options)

/** What of the items a command reads. */
export const kindOption = () =>
  new Option('--kind <kind>', 'only messages of conversations (turn), or only other items (note)').choices([
    'turn',
    'note',
  ])

export const tagOption = () => new Option('-t, --tag <tag>', 'tag (repeatable)').argParser(collect)

const STATUSES = ['current', 'retired', 'any'] as const
export type Status = (typeof STATUSES)[number]

export const statusOption = () =>
  new Option('--status <status>', 'current items, retired ones, or any (default: current)').choices(STATUSES)

/** The fields that have a value. */
export const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
