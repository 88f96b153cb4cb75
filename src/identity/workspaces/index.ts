import { createWorkspaceEndpoint } from './create.ts'
import { deleteWorkspaceEndpoint } from './delete.ts'
import { getWorkspaceEndpoint } from './get.ts'
import { listWorkspacesEndpoint } from './list.ts'
import { updateWorkspaceEndpoint } from './update.ts'

export const workspaceEndpoints = [
  createWorkspaceEndpoint,
  listWorkspacesEndpoint,
  getWorkspaceEndpoint,
  updateWorkspaceEndpoint,
  deleteWorkspaceEndpoint,
]
