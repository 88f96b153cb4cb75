import { createProjectEndpoint } from './create.ts'
import { getProjectEndpoint } from './get.ts'
import { listProjectsEndpoint } from './list.ts'

export const projectEndpoints = [createProjectEndpoint, listProjectsEndpoint, getProjectEndpoint]
