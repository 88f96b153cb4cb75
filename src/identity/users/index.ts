import { registerEndpoint } from './register.ts'

export const userEndpoints = [registerEndpoint]
