import {
  PROTOCOL_VERSION_META_KEY,
  specTypeSchemas,
  type SpecTypeName,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server'
import { shownKey } from '../core/http/error-size.ts'
import { objectInText } from './tools/as-meant.ts'

/** What a method takes: the type of the protocol, and the same in words. */
type Takes = readonly [type: SpecTypeName, words: string]

const LIST: Takes = ['PaginatedRequestParams', 'takes cursor, a string']
const TAKES = new Map<unknown, Takes>([
  [
    'initialize',
    ['InitializeRequestParams', 'needs protocolVersion, capabilities, and clientInfo with name and version'],
  ],
  ['tools/call', ['CallToolRequestParams', 'needs name, a string, and takes arguments, an object']],
  ['tools/list', LIST],
  ['resources/read', ['ReadResourceRequestParams', 'needs uri, a string such as memory://recent']],
  ['resources/list', LIST],
  ['resources/templates/list', LIST],
  ['prompts/get', ['GetPromptRequestParams', 'needs name, a string, and takes arguments, an object of strings']],
  ['prompts/list', LIST],
])

/** Paths that a refusal names. */
const MAX_NAMED = 5

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * The message as its sender means it. Clients send null for params and for members of them that they leave out, and the
 * arguments of a tool as JSON text.
 */
export function withMeantParams(message: unknown): unknown {
  if (!isObject(message) || message['params'] === undefined) return message
  const { params, ...others } = message
  if (params === null) return others
  if (!isObject(params)) return message
  const meant = withoutNulls(params)
  const { arguments: sent } = meant
  if (message['method'] === 'tools/call' && typeof sent === 'string') meant['arguments'] = objectInText(sent)
  if (message['method'] === 'prompts/get' && isObject(sent)) meant['arguments'] = withoutNulls(sent)
  return { ...others, params: meant }
}

const withoutNulls = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The sentence that refuses the params of a request; null where they are what its method takes. */
export function paramsFault(message: unknown): string | null {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['id'] === undefined) return null
  const { method, params } = message
  const takes = TAKES.get(method)
  if (params !== undefined && !isObject(params)) return 'params must be an object.'
  if (!takes || (method === 'initialize' && isNewer(params))) return null
  const [type, words] = takes
  const result = specTypeSchemas[type]['~standard'].validate(params ?? {})
  const faults = 'issues' in result ? (result.issues ?? []) : []
  if (faults.length === 0) return null
  const named = faults.slice(0, MAX_NAMED).map(({ path = [] }) => path.map(nameOf).join('.'))
  return `${String(method)} ${words}. Missing or wrong: ${named.join(', ')}.`
}

/** The revision 2026-07-28 has no handshake, and says in each message that it is the one. */
const isNewer = (params: Members | undefined): boolean => {
  const meta = params?.['_meta']
  return isObject(meta) && PROTOCOL_VERSION_META_KEY in meta
}

type Step = NonNullable<StandardSchemaV1.Issue['path']>[number]

/** A step of the path to a fault, as an answer may show it. */
const nameOf = (step: Step): string => shownKey(String(typeof step === 'object' ? step.key : step))
