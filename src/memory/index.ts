import { getItemEndpoint, retrieveEndpoint } from './retrieve.ts'

export const memoryEndpoints = [retrieveEndpoint, getItemEndpoint]
