import { isAppError } from '../core/errors.ts'
import { decodeText, parseAnyIntegers } from '../core/http/body.ts'
import { cutText, MAX_ERROR_BYTES } from '../core/http/error-size.ts'
import { isBelow, refuseIntegers, unsafeIntegers } from '../core/http/json/unsafe-integers.ts'
import { paramsFault, withMeantParams } from './params.ts'

/** Codes of JSON-RPC 2.0 §5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

export interface ReadMessage {
  message: unknown
  /** The message as it was sent. */
  json: string
}

/** The one message of a request, parsed, or the answer that refuses it. */
export function readMessage(bytes: Uint8Array<ArrayBuffer>): ReadMessage | { refusal: Response } {
  let message: unknown
  let json: string
  try {
    json = decodeText(bytes)
    message = withMeantParams(parseAnyIntegers(json))
    refuseIntegers(unsafeIntegers(json).filter((places) => isBelow(places, ['id'])))
  } catch (error) {
    if (!isAppError(error)) throw error
    const code = error.code === 'invalid_json' ? PARSE_ERROR : INVALID_REQUEST
    return { refusal: rpcError(400, code, error.detail, null) }
  }
  // A batch would do much for one permit. The revisions since 2025-06-18 have none.
  if (Array.isArray(message)) {
    return { refusal: rpcError(400, INVALID_REQUEST, 'Send one message per request, not an array.', null) }
  }
  const id = idOf(message)
  if (typeof id === 'string' && id.length > MAX_ID_CHARACTERS) {
    const fault = `An id can have at most ${MAX_ID_CHARACTERS} characters.`
    return { refusal: rpcError(400, INVALID_REQUEST, fault, null) }
  }
  const fault = paramsFault(message)
  return fault === null ? { message, json } : { refusal: rpcError(200, INVALID_PARAMS, fault, id) }
}

/** Every answer repeats the id. */
const MAX_ID_CHARACTERS = 256

const idOf = (message: unknown): unknown => objectOf<{ id?: unknown }>(message).id

/** The arguments of a message as they were sent: the package drops a member named `__proto__` without a word. */
export function argumentsOf(message: unknown): Record<string, unknown> | undefined {
  const { params } = objectOf<{ params?: unknown }>(message)
  const { arguments: sent } = objectOf<{ arguments?: Record<string, unknown> }>(params)
  return sent
}

/** 422 for integers among the arguments that the parsed message does not keep. */
export const refuseUnsafeArguments = (json: string): void =>
  refuseIntegers(
    unsafeIntegers(json).filter((places) => isBelow(places, ARGUMENTS)),
    ARGUMENTS.length,
  )

const ARGUMENTS = ['params', 'arguments']

const objectOf = <T extends object>(value: unknown): Partial<T> =>
  value !== null && typeof value === 'object' ? value : {}

/** Nothing in a shorter request makes its error too long. */
const SHORT_BYTES = MAX_ERROR_BYTES / 8

/**
 * The answer, whose error is no longer than every error body (contract §1): the package repeats the names that a client
 * sent, in the message and beside it.
 */
export async function withinErrorSize(answer: Response, requestBytes: number): Promise<Response> {
  if (requestBytes < SHORT_BYTES) return answer
  const text = await answer.text()
  const { id, error } = text === '' ? {} : (JSON.parse(text) as Partial<RpcError>)
  const body =
    error && text.length > MAX_ERROR_BYTES
      ? JSON.stringify({ jsonrpc: '2.0', id, error: { code: error.code, message: cutText(error.message) } })
      : text
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  return new Response(body === '' ? null : body, { status: answer.status, headers })
}

interface RpcError {
  id: unknown
  error: { code: number; message: string }
}

/** A JSON-RPC error as an HTTP answer; `id` is the one of the message where it has one. */
export const rpcError = (status: number, code: number, message: string, id: unknown): Response =>
  Response.json(
    { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error: { code, message } },
    { status },
  )
