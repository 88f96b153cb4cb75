import { deleteGrantEndpoint } from './delete.ts'
import { getGrantEndpoint } from './get.ts'
import { listGrantsEndpoint } from './list.ts'

export const grantEndpoints = [listGrantsEndpoint, getGrantEndpoint, deleteGrantEndpoint]
