import type { Principal } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'

/** The project of a call that names none (contract §3). 422 where the credential has no default; `defaultProjectOf` sets it. */
export function defaultProject(principal: Principal): string {
  if (principal.defaultProjectId === null) {
    throw invalid('context.project_id', 'no_default_project', 'This credential has no default project: name one.')
  }
  return principal.defaultProjectId
}
