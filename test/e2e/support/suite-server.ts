import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createRequestStateCodec,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readMessage } from '../../../src/mcp/message.ts'
import { serve } from '../../../src/mcp/serve.ts'

/** A picture and a sound of one sample. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

const stateCodec = createRequestStateCodec<{ round: number }>({ key: 'a key of the conformance suite, 32 bytes' })

const ask = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
})
const sample = (prompt: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 })

const NO_CHANGES = { listChanged: false }

/** The tools, resources and prompts that the conformance suite calls, behind the transport of our service. */
function createSuiteServer(): McpServer {
  const server = new McpServer(
    { name: 'suite', version: '1.0.0' },
    { capabilities: { tools: NO_CHANGES, resources: NO_CHANGES, prompts: NO_CHANGES }, requestState: stateCodec },
  )
  addContents(server)
  addQuestions(server)
  addResources(server)
  addPrompts(server)
  return server
}

function addContents(server: McpServer): void {
  const simple = (name: string, content: CallToolResult['content'], isError = false) =>
    server.registerTool(name, { description: `The suite calls ${name}.` }, () => ({ content, isError }))
  simple('test_simple_text', [text('This is a simple text response for testing.')])
  simple('test_image_content', [image])
  simple('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }])
  simple('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ])
  simple('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ])
  simple('test_error_handling', [text('This tool intentionally returns an error for testing')], true)
  simple('test_streaming_elicitation', [text('done')])
  simple('test_logging_tool', [text('done')])
  server.registerTool(
    'test_header',
    {
      description: 'Its argument travels in a header too.',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => ({ content: [text(region)] }),
  )
}

/** Tools that ask the person, as the revision 2026-07-28 does it: the client calls again with the answers. */
function addQuestions(server: McpServer): void {
  type Result = CallToolResult | InputRequiredResult
  type Round = (answers: object, state: unknown) => Result | Promise<Result>
  const asking = (name: string, round: Round) =>
    server.registerTool(name, { description: `The suite calls ${name}.` }, async ({ mcpReq }: ServerContext) =>
      round(mcpReq.inputResponses ?? {}, mcpReq.requestState()),
    )
  const done = (value: unknown) => ({ content: [text(JSON.stringify(value))] })

  asking('test_missing_capability', () => inputRequired({ inputRequests: { question: sample('Anything?') } }))
  asking('test_input_required_result_elicitation', (answers) =>
    'user_name' in answers
      ? done(answers)
      : inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } }),
  )
  asking('test_input_required_result_sampling', (answers) =>
    'capital_question' in answers
      ? done(answers)
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } }),
  )
  asking('test_input_required_result_list_roots', (answers) =>
    'client_roots' in answers
      ? done(answers)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  )
  asking('test_input_required_result_capabilities', () =>
    inputRequired({ inputRequests: { question: sample('Anything?') } }),
  )
  const confirmed: Round = async (answers, state) =>
    'confirm' in answers && state !== undefined
      ? { content: [text('state-ok')] }
      : inputRequired({ inputRequests: { confirm }, requestState: await stateCodec.mint({ round: 1 }) })
  asking('test_input_required_result_request_state', confirmed)
  asking('test_input_required_result_tampered_state', confirmed)
  asking('test_input_required_result_multiple_inputs', async (answers) =>
    ['user_name', 'greeting', 'client_roots'].every((name) => name in answers)
      ? done(answers)
      : inputRequired({
          inputRequests: {
            user_name: ask('What is your name?', 'name'),
            greeting: sample('Generate a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await stateCodec.mint({ round: 1 }),
        }),
  )
  asking('test_input_required_result_multi_round', async (answers) => {
    if ('step2' in answers) return done(answers)
    const inputRequests: Record<string, InputRequest> =
      'step1' in answers
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') }
    return inputRequired({ inputRequests, requestState: await stateCodec.mint({ round: 'step1' in answers ? 2 : 1 }) })
  })
}

function addResources(server: McpServer): void {
  const described = { description: 'The suite reads it.' }
  server.registerResource('text', 'test://static-text', { ...described, mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('binary', 'test://static-binary', { ...described, mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, described, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}

function addPrompts(server: McpServer): void {
  const description = 'The suite gets it.'
  const user = <T>(content: T) => ({ role: 'user' as const, content })
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }: ServerContext) =>
    'user_context' in (mcpReq.inputResponses ?? {})
      ? { messages: [user(text('With context.'))] }
      : inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } }),
  )
}

/** Serves it on loopback, message by message, as `src/mcp/mcp.ts` does once the credential is known. */
export async function startSuiteServer(): Promise<{ url: string; stop(): void }> {
  const http = createServer((from, to) => void answer(from, to))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => http.close() }
}

async function answer(from: IncomingMessage, to: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of from) chunks.push(chunk as Buffer)
  const headers = new Headers(Object.entries(from.headers).map(([name, value]) => [name, String(value)] as const))
  const request = new Request(`http://127.0.0.1${from.url}`, { method: from.method ?? 'GET', headers })
  const read = readMessage(new Uint8Array(Buffer.concat(chunks)))
  const response =
    from.method !== 'POST'
      ? new Response(null, { status: 405 })
      : 'refusal' in read
        ? read.refusal
        : await serve(request, read.message, createSuiteServer)
  to.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}
