import { createAppEndpoint } from './create.ts'
import { deleteAppEndpoint } from './delete.ts'
import { getAppEndpoint } from './get.ts'
import { listAppsEndpoint } from './list.ts'
import { rotateSecretEndpoint } from './rotate-secret.ts'
import { updateAppEndpoint } from './update.ts'

export const appEndpoints = [
  createAppEndpoint,
  listAppsEndpoint,
  getAppEndpoint,
  updateAppEndpoint,
  deleteAppEndpoint,
  rotateSecretEndpoint,
]
