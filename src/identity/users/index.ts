import { deleteMeEndpoint } from './delete-me.ts'
import { exportMeEndpoint } from './export-me.ts'
import { getMeEndpoint } from './get-me.ts'
import { registerEndpoint } from './register.ts'
import { updateMeEndpoint } from './update-me.ts'

export { getMeEndpoint }
export const userEndpoints = [registerEndpoint, getMeEndpoint, updateMeEndpoint, deleteMeEndpoint, exportMeEndpoint]
