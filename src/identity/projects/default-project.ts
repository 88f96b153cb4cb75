import type { Principal } from '../../core/context.ts'
import { invalid, type AppError } from '../../core/errors.ts'

/** The error of a call that names no project, where the default one is absent or hidden (contract §3). */
export const noDefaultProject = (): AppError =>
  invalid(
    'context.project_id',
    'no_default_project',
    'The default project was deleted or is no longer accessible: send a project_id.',
  )

/** The project of a call that names none (contract §3). 422 where the credential has no default; `defaultProjectOf` sets it. */
export function defaultProject(principal: Principal): string {
  if (principal.defaultProjectId === null) {
    throw invalid(
      'context.project_id',
      'no_default_project',
      'This credential has no default project: send a project_id.',
    )
  }
  return principal.defaultProjectId
}
