import { llmsEndpoint } from './llms.ts'

export { createMcp } from './mcp.ts'
export const mcpEndpoints = [llmsEndpoint]
