/** What a parser may know besides the text. */
export interface Deployment {
  /** It is `npm start` or a test. */
  local: boolean
  shards: readonly string[]
}

/** A fault says what the text must be, never what it is: a value may be a secret or an address. */
export type Parsed<Value> = { value: Value } | { fault: string }

export type Parser<Value> = (text: string, deployment: Deployment) => Parsed<Value>

/** Who reads settings: the composition root, which reads all, or the class of a Durable Object. */
export type Reader = 'Worker' | 'UserHub' | 'Limiter' | 'ProjectVectors'

/** A variable or a secret of the deployment. */
export interface Setting<Value = unknown, By extends Reader = Reader> {
  /** `local`: a variable that loosens a rule. It has no effect in a deployment (contract §7). */
  kind: 'variable' | 'secret' | 'local'
  readBy: readonly By[]
  parse: Parser<Value>
  /** The value of a setting that is not set, and of a faulty one. */
  absent: Value
  /** The value of a faulty one, where `absent` would be unsafe. */
  ifFaulty?: Value
  /** An old name that still works. */
  oldName?: string
  /** For docs/operations.md: what holds by default, and what the setting does. */
  default: string
  description: string
}

/** A setting with the types that its parser and its value by default give. */
export const setting = <Value, const Absent, const By extends Reader = never>({
  kind = 'variable',
  readBy = [],
  ...one
}: Omit<Setting<Value | Absent, By>, 'kind' | 'readBy' | 'parse' | 'absent'> & {
  kind?: Setting['kind']
  readBy?: readonly By[]
  parse: Parser<Value>
  absent: Absent
}): Setting<Value | Absent, By | 'Worker'> => ({ kind, readBy: ['Worker', ...readBy], ...one })
