import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { isAppError } from '../../core/errors.ts'
import type { McpCall } from '../call.ts'
import { refuseUnsafeArguments } from '../message.ts'
import { endsRequest, toolErrorText } from '../tool-error.ts'
import { TOOLS } from './index.ts'

interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/**
 * Runs a tool through the pipeline of its operation. A failure that a model can act on is a result with `isError`; one
 * of the credential or its scopes is thrown, and answers the whole request.
 */
export async function callTool(
  call: McpCall,
  {
    name,
    arguments: args = {},
    json,
  }: { name: string; arguments?: Record<string, unknown> | undefined; /** The whole message. */ json: string },
): Promise<ToolResult> {
  const bound = call.projectId !== null
  const tool = TOOLS.find((one) => one.name === name && !(bound && one.hidden === 'bound'))
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such tool: see tools/list.')
  try {
    refuseUnsafeArguments(json)
    const { ask, authored, result } = tool.prepare(args, { projectId: call.projectId, origin: call.ctx.client.origin })
    const answer = await call.run(tool.operation, ask)
    const structuredContent = result(answer, await call.readerOf(authored(answer)))
    return { content: [text(JSON.stringify(structuredContent))], structuredContent }
  } catch (error) {
    if (isAppError(error)) {
      if (endsRequest(error)) throw error
      return { content: [text(toolErrorText(error, tool.target, bound))], isError: true }
    }
    const { log, requestId } = call.ctx
    log.error({ event: 'mcp.tool_failed', request_id: requestId, tool: name }, error)
    return { content: [text(`internal: Something went wrong on our side (request ${requestId}).`)], isError: true }
  }
}

const text = (value: string) => ({ type: 'text' as const, text: value })
