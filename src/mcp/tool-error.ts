import { detailOf, type AppError } from '../core/errors.ts'

/** 401 and a missing scope answer the request itself, so that the client signs in, or asks for the scope. */
export const endsRequest = (error: AppError): boolean => error.status === 401 || error.code === 'insufficient_scope'

/** What a tool reaches by the arguments that it got, so that a 404 says what to do next. */
export type Target = 'item' | 'project' | 'none'

/** A failure as a model can act on it: the code, what is wrong, and what to do. */
export function toolErrorText(error: AppError, target: Target, bound: boolean): string {
  const faults = error.errors?.map(({ path, message }) => detailOf(path, message)) ?? []
  const said = faults.length > 0 ? faults.join(' ') : error.detail
  return [`${error.code}: ${said}`, adviceOn(error, target, bound)].filter((part) => part !== '').join(' ')
}

function adviceOn(error: AppError, target: Target, bound: boolean): string {
  const seconds = error.headers['Retry-After']
  if (error.code === 'rate_limited') return `Wait ${seconds ?? '1'} seconds, then call again.`
  if (error.code === 'dependency_unavailable') return `Wait ${seconds ?? '5'} seconds, then call again.`
  if (error.code === 'precondition_failed') return 'The memory has changed: call get_memory and use its version.'
  if (error.code === 'custom_id_taken') return 'Choose another custom_id.'
  if (error.code === 'idempotency_mismatch') return 'Use a new idempotency_key when the arguments change.'
  if (error.code === 'conflict' || error.code === 'idempotency_in_progress') return 'Call again.'
  if (error.code !== 'not_found') return ''
  if (target === 'item')
    return 'This memory is not yours, was deleted or never existed: call search_memories or list_memories.'
  if (target === 'none') return ''
  return bound
    ? 'The project in the address of this server is not yours or does not exist: tell the user.'
    : 'This project is not yours or does not exist: call list_projects.'
}
