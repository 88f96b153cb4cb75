import type { FC } from 'hono/jsx'
import type { Schema } from '../../events/index.ts'

/** Renders a description, whose only Markdown is code in backticks. */
export const Prose: FC<{ text: string }> = ({ text }) => (
  <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** The type of a schema in one or two words. */
function typeOf(schema: Schema): string {
  if ('const' in schema) return JSON.stringify(schema['const'])
  const choices = schema['anyOf'] as Schema[] | undefined
  if (choices) return choices.map(typeOf).join(' or ')
  return schema['format'] === 'date-time' ? 'date-time' : [schema.type ?? 'any'].flat().join(' or ')
}

/** The members of an object, each with its type and description. */
export const Members: FC<{ schema: Schema; label: string }> = ({ schema, label }) => (
  <ul class="members" aria-label={label}>
    {Object.entries(schema.properties ?? {}).map(([name, member]) => (
      <li>
        <code>{name}</code>{' '}
        <span class="muted small">
          {typeOf(member)}
          {schema.required?.includes(name) ? '' : ', optional'}
        </span>
        {member.description !== undefined && (
          <p class="small">
            <Prose text={member.description} />
          </p>
        )}
      </li>
    ))}
  </ul>
)

export const JsonExample: FC<{ value: unknown; label: string }> = ({ value, label }) => (
  <div class="code">
    <pre tabindex={0} role="group" aria-label={label}>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  </div>
)
