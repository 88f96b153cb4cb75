import { createProjectEndpoint } from './create.ts'
import { deleteProjectEndpoint } from './delete.ts'
import { getProjectEndpoint } from './get.ts'
import { listProjectsEndpoint } from './list.ts'
import { updateProjectEndpoint } from './update.ts'

export { listProjectsEndpoint }
export const projectEndpoints = [
  createProjectEndpoint,
  deleteProjectEndpoint,
  listProjectsEndpoint,
  getProjectEndpoint,
  updateProjectEndpoint,
]
