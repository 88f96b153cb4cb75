import { decodeText, parseJson, readBody } from '../core/http/body.ts'
import { invalid, isAppError, type AppError } from '../core/errors.ts'

/** The fields of a sent form. An absent field reads as empty, and the API reports it. */
export class Form {
  readonly #fields: URLSearchParams
  readonly #files: ReadonlyMap<string, File>

  constructor(fields = new URLSearchParams(), files: ReadonlyMap<string, File> = new Map()) {
    this.#fields = fields
    this.#files = files
  }

  /** A trimmed field. Browsers send line ends as CR LF; the API stores LF. */
  text(name: string): string {
    return this.raw(name).replaceAll('\r\n', '\n').trim()
  }

  /** A field as it was typed: passwords are not trimmed. */
  raw(name: string): string {
    return this.#fields.get(name) ?? ''
  }

  all(name: string): string[] {
    return this.#fields.getAll(name)
  }

  has(name: string): boolean {
    return this.#fields.has(name)
  }

  file(name: string): File | null {
    return this.#files.get(name) ?? null
  }

  /** Comma-separated values. */
  list(name: string): string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }
}

/** The form of a request, of at most `maxBytes`; 413 past that. */
export async function readForm(request: Request, maxBytes: number): Promise<Form> {
  if (request.method !== 'POST') return new Form()
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBody(request, maxBytes)
  if (!type.startsWith('multipart/form-data')) return new Form(new URLSearchParams(decodeText(bytes)))
  const data = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw invalid('', 'invalid_form', 'The form could not be read.')
  })
  const fields = new URLSearchParams()
  const files = new Map<string, File>()
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.append(name, value)
    else files.set(name, value)
  }
  return new Form(fields, files)
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError }

/**
 * The result of an API call whose refusal the form explains. 401, 404, 5xx and unknown errors are thrown; `also` names
 * statuses that are returned nevertheless.
 */
export async function attempt<T>(work: Promise<T>, also: readonly number[] = []): Promise<Result<T>> {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    if (!isAppError(error)) throw error
    const explained = error.status < 500 && error.status !== 401 && error.status !== 404
    if (!explained && !also.includes(error.status)) throw error
    return { ok: false, error }
  }
}

/** The API's message for one field, if it named the field. */
export const errorAt = (error: AppError | null | undefined, path: string): string | undefined =>
  error?.errors?.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message

/** The JSON object in a field, of which the API calls `path`; `invalid_json` with `otherwise` for anything else. */
export function parseObject(text: string, path: string, otherwise: string): Result<Record<string, unknown>> {
  try {
    const value = parseJson(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return { ok: true, value: value as Record<string, unknown> }
  } catch (error) {
    if (!isAppError(error)) throw error
    const [fault] = error.errors ?? []
    if (fault)
      return { ok: false, error: invalid([path, fault.path].filter(Boolean).join('.'), fault.code, fault.message) }
  }
  return { ok: false, error: invalid(path, 'invalid_json', otherwise) }
}
