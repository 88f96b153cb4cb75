import { Recollect, RecollectError, type Credential } from '../../src/index.ts'
import { recall, remember, type Message } from '../../src/conversations/index.ts'
import { snake } from '../../../tools/python/schema.ts'
import { there, type Case, type Observed } from './case.ts'

/** Classes whose names Python has already. */
const NAMES: Record<string, string> = {
  PermissionError: 'PermissionDeniedError',
  ConnectionError: 'ConnectionFailedError',
  TimeoutError: 'TimedOutError',
}

type Invoke = (...args: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>

/** Runs a case with the TypeScript client. */
export async function observe(one: Case, baseUrl: string): Promise<Observed> {
  const { timeout, max_retries: maxRetries, ...given } = one.client ?? {}
  const waits: number[] = []
  const client = new Recollect({
    baseUrl,
    credential: credentialOf(given),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    sleep: async (ms) => void waits.push(ms / 1_000),
    random: () => 1,
  })
  const items: unknown[] = []
  try {
    if (one.call === 'remember' || one.call === 'recall')
      return { result: await conversationOf(client, one), error: null, waits }
    const call = callOf(client, one)
    if (one.iterate) for await (const item of call) items.push(item)
    const result = one.iterate ? items : ((await call) ?? null)
    return { result, error: null, waits }
  } catch (error) {
    return { result: items, error: errorOf(error), waits }
  }
}

function credentialOf(given: NonNullable<Case['client']>): Credential {
  const [[name, value] = ['api_key', 'rck_x']] = Object.entries(given)
  const tokens = [value].flat().map(String)
  let renewals = 0
  const source = (refused?: string) => (refused === undefined ? tokens[0] : tokens[++renewals]) ?? refused ?? ''
  const token = Array.isArray(value) ? source : String(value)
  return { api_key: { apiKey: token }, access_token: { accessToken: token }, session_token: { sessionToken: token } }[
    name
  ] as Credential
}

function conversationOf(recollect: Recollect, { call, input, options = {} }: Case): Promise<unknown> {
  const {
    conversation_id: conversationId = '',
    idempotency_key,
    max_tokens,
    exclude_conversation_id,
    ...rest
  } = options
  const { user, context, mode, tags, filters, format } = rest
  const place = { recollect, ...(user === undefined ? {} : { user }), ...(context && { context }) }
  if (call === 'remember')
    return remember(input as Message[], {
      ...place,
      conversationId,
      ...(mode && { mode }),
      ...(tags && { tags }),
      ...(idempotency_key && { idempotencyKey: idempotency_key }),
    })
  const chosen = {
    ...place,
    ...(filters && { filters }),
    ...(max_tokens && { maxTokens: max_tokens }),
    ...(exclude_conversation_id && { excludeConversationId: exclude_conversation_id }),
  }
  const asked = input as string | Message[] | null
  return format === 'items' ? recall(asked, { ...chosen, format }) : recall(asked, chosen)
}

function callOf(client: Recollect, { call, ids = [], input, options = {} }: Case): ReturnType<Invoke> {
  const { idempotency_key, if_version, lines_per_call, project_id } = options
  const chosen = {
    ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
    ...(if_version === undefined ? {} : { ifVersion: if_version }),
    ...(lines_per_call === undefined ? {} : { linesPerCall: lines_per_call }),
    ...(project_id === undefined ? {} : { projectId: project_id }),
  }
  const [method = '', path] = call.split(' ')
  const operations: Record<string, Invoke> = Object(client)
  if (path !== undefined)
    return there(operations['request']).call(client, method, path, {
      ...(input === undefined ? {} : { body: input }),
      ...chosen,
    })
  const [family = '', name = ''] = method.split('.')
  const functions: Record<string, Invoke> = Object(operations[family])
  const found = [...Object.keys(functions), 'export', 'import'].find((each) => snake(each) === name)
  const given = input === undefined && name !== 'export' ? [] : [input]
  return there(functions[found ?? '']).call(functions, ...ids, ...given, chosen)
}

const NO_PROBLEM = { status: null, code: null, request_id: null, retry_after: null, errors: null }

export function errorOf(error: unknown): Observed['error'] {
  if (!(error instanceof RecollectError)) {
    const { name, message } = error as Error
    return { ...NO_PROBLEM, class: name, message }
  }
  const { name, message, status, code, requestId, retryAfter, errors } = error
  return {
    class: NAMES[name] ?? name,
    message,
    status,
    code,
    request_id: requestId,
    retry_after: retryAfter,
    errors,
  }
}
