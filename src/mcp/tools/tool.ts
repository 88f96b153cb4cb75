import { z } from 'zod'
import { validate } from '../../core/http/body.ts'
import type { Endpoint } from '../../core/http/endpoint.ts'
import type { Ask, OperationAnswer } from '../call.ts'
import type { Target } from '../tool-error.ts'
import { asMeant } from './as-meant.ts'
import type { Authored, Reader } from './stored.ts'
import type { Toolset } from './toolset.ts'

/** Where a tool works: at `/mcp`, or bound to one project. */
export interface ToolContext {
  projectId: string | null
  /** Scheme and host of the service, for links. */
  origin: string
}

/** The same once its operation has run. */
export interface ResultContext extends ToolContext {
  reader: Reader
}

/** One call whose arguments are valid. */
interface ToolCall {
  ask: Ask
  /** What the answer shows that has an author. */
  authored: (answer: OperationAnswer) => readonly Authored[]
  /** The answer of the tool, as `structuredContent` and as text. */
  result: (answer: OperationAnswer, reader: Reader) => Record<string, unknown>
}

/** The description of a tool for clients. Its schemas are plain objects at their root. */
export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  outputSchema: { type: 'object'; [key: string]: unknown }
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: false
  }
}

/** A tool is data: the operation behind it, how arguments become its request, and how its answer becomes the result. */
export interface Tool {
  name: string
  operation: Endpoint
  /** False for a tool that reads: reads and writes never share a tool. */
  writes: boolean
  /** It has no use where the project is fixed, or to a key without a person behind it. */
  hidden?: 'bound' | 'service'
  /** The addresses that list it; it can be called at each. Default: `all`. */
  toolset?: Toolset
  target: Target
  listed(bound: boolean): ListedTool
  /** Reads the arguments; 422 where they are not valid. */
  prepare(args: unknown, context: ToolContext): ToolCall
}

interface ToolSpec<S extends z.ZodRawShape, A> extends Pick<
  Tool,
  'name' | 'operation' | 'hidden' | 'toolset' | 'target'
> {
  title: string
  /** Written for a model: what it does, when to call it, what the arguments mean. */
  description: string
  /** How often and how far it changes what is stored. */
  effect: 'reads' | 'adds' | 'marks' | 'replaces' | 'deletes'
  input: S
  output: z.ZodObject
  /** What the body of the answer shows that has an author. Default: nothing. */
  authored?(body: A): readonly Authored[]
  ask(args: z.output<z.ZodObject<S>>, context: ToolContext): Ask
  /** It takes at most `bytesFor()` bytes, whatever is stored. */
  result(answer: OperationAnswer<A>, args: z.output<z.ZodObject<S>>, context: ResultContext): Record<string, unknown>
}

export function tool<S extends z.ZodRawShape, A>(spec: ToolSpec<S, A>): Tool {
  const open = z.strictObject(spec.input)
  const { project_id: _, ...others } = spec.input
  const bound = z.strictObject(others)
  const listedWhere = new Map<boolean, ListedTool>()
  return {
    name: spec.name,
    operation: spec.operation,
    writes: spec.effect !== 'reads',
    ...(spec.hidden === undefined ? {} : { hidden: spec.hidden }),
    ...(spec.toolset === undefined ? {} : { toolset: spec.toolset }),
    target: spec.target,
    listed(isBound) {
      const listed = listedWhere.get(isBound) ?? describe(spec, isBound ? bound : open)
      listedWhere.set(isBound, listed)
      return listed
    },
    prepare(given, context) {
      const isBound = context.projectId !== null
      const meant = asMeant(isBound ? bound : open, asObject(given))
      if (isBound) validate(bound, meant)
      const fixed = isBound && 'project_id' in spec.input ? { project_id: context.projectId } : {}
      const args = validate(open, { ...meant, ...fixed })
      return {
        ask: spec.ask(args, context),
        authored: ({ body }) => spec.authored?.(body as A) ?? [],
        result: (answer, reader) => spec.result(answer as OperationAnswer<A>, args, { ...context, reader }),
      }
    },
  }
}

const asObject = (value: unknown): object => (value !== null && typeof value === 'object' ? value : {})

function describe<S extends z.ZodRawShape, A>(spec: ToolSpec<S, A>, input: z.ZodObject): ListedTool {
  const { name, title, description, effect } = spec
  return {
    name,
    title,
    description,
    inputSchema: { ...z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), type: 'object' },
    outputSchema: { ...z.toJSONSchema(spec.output, { io: 'output', unrepresentable: 'any' }), type: 'object' },
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'replaces' || effect === 'deletes',
      idempotentHint: effect !== 'adds',
      openWorldHint: false,
    },
  }
}
