import { docstring } from './docstring.ts'
import { nameOfRef, pascal, type Schema } from './schema.ts'

const NAMES: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
const IDENTIFIER = /^[A-Za-z_]\w*$/
const KEYWORDS = new Set(['from', 'import', 'class', 'is', 'in', 'not', 'or', 'and', 'global'])

/** Writes schemas as the TypedDicts of a Python module. An object within another gets the name of its place. */
export class Models {
  readonly #written = new Map<string, string>()
  readonly #schemas: Readonly<Record<string, Schema>>

  /** @param schemas those with a name, each declared under it. */
  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
    for (const [name, schema] of Object.entries(schemas)) this.declare(name, schema)
  }

  schemaOf(name: string): Schema | undefined {
    return this.#schemas[name]
  }

  /** The module's text below its imports. */
  get text(): string {
    return [...this.#written.values()].join('\n\n')
  }

  /** Declares a schema of the document under its name. */
  declare(name: string, schema: Schema): void {
    if (this.#written.has(name)) return
    if (isRecord(schema)) return this.#class(name, schema)
    // Reserves its place before those that it needs.
    this.#written.set(name, '')
    const type = this.typeOf(schema, name)
    if (type !== name) this.#written.set(name, `${name}: TypeAlias = ${quotedOnce(type)}\n${documented(schema, 0)}`)
  }

  /** The annotation of a schema. `place` names an object that has no name of its own. */
  typeOf(schema: Schema, place: string): string {
    const { $ref, enum: values, const: only, type, items } = schema
    if ($ref) return nameOfRef($ref)
    if (only !== undefined) return `Literal[${literal(only)}]`
    if (values) return `Literal[${values.map(literal).join(', ')}]`
    const options = schema.oneOf ?? schema.anyOf
    if (options) return this.#union(options, place)
    const [base, ...more] = schema.allOf ?? []
    // A reference with a description of its own.
    if (base?.$ref && more.every(({ properties, $ref: other }) => !properties && !other)) return nameOfRef(base.$ref)
    if (base) return this.#named(place, schema)
    if (Array.isArray(type)) return union(type.map((each) => this.typeOf({ ...schema, type: each }, place)))
    if (type === 'array') return `list[${this.typeOf(items ?? {}, singular(place))}]`
    if (type === 'object') return schema.properties ? this.#record(place, schema) : this.#mapping(schema, place)
    return NAMES[type ?? ''] ?? 'Any'
  }

  /** The first object among the options gets the name of the place. */
  #union(options: Schema[], place: string): string {
    const objects = options.filter(({ properties }) => properties !== undefined)
    return union(
      options.map((option) => {
        const n = objects.indexOf(option)
        return this.typeOf(option, n > 0 ? `${place}${n + 1}` : place)
      }),
    )
  }

  /** An object that takes other names too, such as a filter with paths of metadata, is any mapping for a type checker. */
  #record(place: string, schema: Schema): string {
    if (schema.additionalProperties !== true) return this.#named(place, schema)
    return `${this.#named(`${place}Fields`, schema)} | Mapping[str, Any]`
  }

  #mapping({ additionalProperties: values }: Schema, place: string): string {
    const isOpen = values === undefined || typeof values === 'boolean' || Object.keys(values).length === 0
    return `dict[str, ${isOpen ? 'Any' : this.typeOf(values, `${place}Value`)}]`
  }

  #named(place: string, schema: Schema): string {
    // A schema of the document keeps its name.
    const name = place in this.#schemas || this.#written.has(place) ? `${place}Value` : place
    this.#class(name, schema)
    return name
  }

  #class(name: string, schema: Schema): void {
    if (this.#written.has(name)) throw new Error(`Two schemas are called ${name}.`)
    const bases = (schema.allOf ?? []).flatMap(({ $ref }) => ($ref ? [nameOfRef($ref)] : []))
    // A class stands below its bases.
    for (const base of bases) this.declare(base, this.#schemas[base] ?? {})
    this.#written.set(name, '')
    const own = schema.allOf ? schema.allOf.filter(({ $ref }) => !$ref) : [schema]
    const fields = own.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([field, value]) => {
        const type = this.typeOf(value, `${name}${pascal(field)}`)
        return { field, value, type: required.includes(field) ? type : `NotRequired[${type}]` }
      }),
    )
    const isPlain = fields.every(({ field }) => IDENTIFIER.test(field) && !KEYWORDS.has(field))
    const about = documented(schema, 4)
    if (!isPlain) {
      const pairs = fields.map(({ field, type }) => `    ${JSON.stringify(field)}: ${quotedOnce(type)},`)
      const text = [
        `${name} = TypedDict(`,
        `    "${name}",`,
        '    {',
        ...pairs.map((pair) => `    ${pair}`),
        '    },',
        ')',
      ]
      this.#written.set(name, `${text.join('\n')}\n${documented(schema, 0)}`)
      return
    }
    const lines = fields.map(({ field, type, value }) => `    ${field}: ${type}\n${documented(value, 4)}`)
    const body = [about, lines.join('')].filter(Boolean).join('\n') || '    pass\n'
    this.#written.set(name, `class ${name}(${bases.length === 0 ? 'TypedDict' : bases.join(', ')}):\n${body}`)
  }
}

const isRecord = ({ type, properties, allOf, additionalProperties }: Schema): boolean =>
  allOf !== undefined || (type === 'object' && properties !== undefined && additionalProperties !== true)

const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const union = (types: string[]): string => [...new Set(types)].join(' | ')

/** Classes may stand below what names them, and only annotations are read late. */
const quotedOnce = (type: string): string => `"${type.replaceAll('"', "'")}"`

const singular = (place: string): string => (/[^s]s$/.test(place) ? place.slice(0, -1) : `${place}Item`)

const number = (value: number): string => value.toLocaleString('en-US')

/** What a value may be, in words: its description, then its bounds. */
function documented(schema: Schema, indent: number): string {
  const { description = '', minimum, maximum, maxLength, maxItems } = schema
  const bounds = [
    ...(minimum !== undefined && maximum !== undefined ? [`${number(minimum)} to ${number(maximum)}.`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`At least ${number(minimum)}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${number(maxLength)} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${number(maxItems)} values.`]),
  ]
  return docstring([description.replace(/\s*Default: `undefined`\.$/, ''), ...bounds].filter(Boolean).join(' '), indent)
}
