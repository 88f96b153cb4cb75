import type { z } from 'zod'
import { sentenceOf, type FieldError } from '../errors.ts'
import { didYouMean } from '../values/near-name.ts'
import { MAX_ERRORS, shownKey } from './error-size.ts'
import { expectedBy, namesIn } from './expected.ts'
import { foreignNameHint } from './foreign-names.ts'

type Issue = z.core.$ZodIssue

/** The predicate of a fault about its field, such as `must be one of any, all`. Each `safeParse` of a client's input takes it. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const expected = expectedBy(issue.schema ?? (issue.inst as z.core.$ZodType | undefined))
  if (issue.code !== 'custom' && issue.input === undefined) return `is missing: ${expected}`
  switch (issue.code) {
    case 'unrecognized_keys':
      // Stays on the issue, so that the fault of each name can tell which one was meant.
      issue['known'] = namesIn(issue.inst)
      return undefined
    case 'invalid_type':
      return `must be ${expected}${butIs(issue.input)}`
    case 'too_small':
    case 'too_big':
      return `must be ${expected}, not ${sizeOf(issue.input)}`
    case 'invalid_value':
      return `must be ${wordsFor(issue.values, issue.input)}`
    case 'invalid_union':
      if (issue.options) return `must be ${wordsFor(issue.options, chosenBy(issue))}`
      return `must be ${expected}${butIs(issue.input)}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? (issue.format === 'regex' ? `must match ${issue.pattern}` : undefined)
    default:
      return undefined
  }
}

const FORMATS: Record<string, string> = {
  date: 'must be a date, such as 2026-11-21',
  email: 'must be an e-mail address',
  url: 'must be a URL',
}

const butIs = (input: unknown): string => {
  if (input === null) return ', not null'
  if (Array.isArray(input)) return ', not a list'
  if (typeof input === 'number') return Number.isNaN(input) ? '' : `, not ${input}`
  if (typeof input === 'string') return ', not a string'
  return typeof input === 'boolean' ? `, not ${input}` : ', not an object'
}

const sizeOf = (input: unknown): string =>
  String(typeof input === 'string' ? Array.from(input).length : Array.isArray(input) ? input.length : input)

/** The value of the member that chooses between the options of a union. */
const chosenBy = ({ input, discriminator }: z.core.$ZodRawIssue): unknown =>
  input !== null && typeof input === 'object'
    ? Object.entries(input).find(([key]) => key === discriminator)?.[1]
    : input

function wordsFor(values: unknown, input: unknown): string {
  const words = Array.isArray(values) ? values.map(String) : []
  const hint = typeof input === 'string' ? didYouMean(input, words) : ''
  return `${words.length === 1 ? '' : 'one of '}${words.join(', ')}${hint && `.${hint}`}`
}

/** At most `MAX_ERRORS` faults, each with its path and a sentence that names the field. */
export function faultsOf(issues: readonly Issue[]): FieldError[] {
  const faults: FieldError[] = []
  for (const issue of issues) {
    if (faults.length >= MAX_ERRORS) break
    faults.push(...faultsIn(issue, []))
  }
  return faults.slice(0, MAX_ERRORS)
}

function faultsIn(issue: Issue, above: readonly PropertyKey[]): FieldError[] {
  const path = [...above, ...issue.path]
  const at = path.map((key) => shownKey(String(key)))
  if (issue.code === 'unrecognized_keys') {
    const known = 'known' in issue && Array.isArray(issue.known) ? issue.known.map(String) : []
    return issue.keys.slice(0, MAX_ERRORS).map((key) => {
      const field = [...at, shownKey(key)].join('.')
      const hint = foreignNameHint(key, known, at) || didYouMean(key, known)
      return { path: field, code: 'unknown_field', message: `Unknown field "${field}".${hint}` }
    })
  }
  const meant = issue.code === 'invalid_union' ? meantOption(issue.errors) : undefined
  if (meant) return meant.slice(0, MAX_ERRORS).flatMap((one) => faultsIn(one, path))
  const named: unknown = issue.code === 'custom' ? (issue.params?.['code'] ?? 'invalid_value') : issue.code
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return [{ path: at.join('.'), code: String(named), message: wholeSentence(at.join('.'), message) }]
}

/** The option of a union that the value was meant for: the only one of which it has the type. */
function meantOption(options: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const ofType = options.filter((issues) => !issues.some(({ code, path }) => path.length === 0 && NOT_MEANT.has(code)))
  return ofType.length === 1 ? ofType[0] : undefined
}

const NOT_MEANT = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** A predicate becomes a sentence with its field. A message of a schema is a sentence already. */
const wholeSentence = (path: string, message: string): string =>
  /^(is|must) /.test(message) ? sentenceOf(`${path === '' ? 'The input' : path} ${message}`) : message
