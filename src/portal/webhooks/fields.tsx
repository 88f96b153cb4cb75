import type { Child, FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import { CATALOG, CHANNELS, type Channel, type EventType } from '../../events/index.ts'
import { MAX_NAMESPACE_CHARACTERS } from '../../core/namespace.ts'
import type { Project, Workspace } from '../../identity/index.ts'
import { ITEM_SCOPES } from '../../core/values/items.ts'
import { errorAt } from '../form.ts'
import { Check, Field, FieldGroup, Select } from '../components/fields.tsx'
import { listProjects, listWorkspaces } from '../lists.ts'
import type { PageContext } from '../page-context.ts'
import { typesOf, type WebhookValues } from './form.ts'

const CHANNEL_TEXTS: Record<Channel, string> = {
  memory: 'What happens to memories',
  conversation: 'Messages, conversations, typing',
  offering: 'Offerings installed and changed',
  system: 'Notices and maintenance',
}

/** The projects and workspaces that a subscription can filter by. */
export interface FilterOptions {
  projects: readonly Project[]
  workspaces: readonly Workspace[]
}

export async function filterOptionsOf(ctx: PageContext): Promise<FilterOptions> {
  const [projects, workspaces] = await Promise.all([listProjects(ctx), listWorkspaces(ctx)])
  return { projects, workspaces }
}

interface FieldsProps {
  values: WebhookValues
  options: FilterOptions
  error: AppError | null
  autofocus?: boolean
  /** The field for headers, whose hint differs between a new and a changed webhook. */
  children?: Child
}

/** The fields of the forms that create and change a webhook. */
export const WebhookFields: FC<FieldsProps> = ({ values, options, error, autofocus, children }) => (
  <>
    <Field
      name="url"
      type="url"
      label="Address of your server"
      required
      placeholder="https://example.com/hooks/recollect"
      value={values.url}
      error={errorAt(error, 'delivery.url')}
      autofocus={autofocus ?? false}
    />
    <FieldGroup name="channels" legend="Channels" error={errorAt(error, 'channels')}>
      <div class="stack">
        {CHANNELS.toSorted((a, b) => Number(b === 'memory') - Number(a === 'memory')).map((channel) => (
          <ChannelChecks channel={channel} values={values} />
        ))}
      </div>
    </FieldGroup>
    <details class="disclosure" open={error !== null || values.ownChannels.length > 0 || hasFilters(values)}>
      <summary>Your channels, filters, headers</summary>
      <div class="form">
        <div class="form-row">
          <Field
            name="own_channels"
            label="Your own channels"
            placeholder="orders, builds"
            hint="Separated by commas."
            value={values.ownChannels.join(', ')}
          />
          <Field
            name="own_types"
            label="Only these of your own events"
            placeholder="order.shipped"
            hint="Separated by commas. Empty: all."
            value={values.ownTypes.join(', ')}
            error={errorAt(error, 'own_types') ?? errorAt(error, 'events')}
            errorPath="events"
          />
        </div>
        <Filters filters={values.filters} options={options} error={error} />
        {children}
      </div>
    </details>
  </>
)

const hasFilters = ({ filters }: WebhookValues): boolean => Object.keys(filters).length > 0

const ChannelChecks: FC<{ channel: Channel; values: WebhookValues }> = ({ channel, values }) => {
  const types = typesOf(channel) as EventType[]
  return (
    <div>
      <Check
        name="channel"
        value={channel}
        checked={values.channels.includes(channel)}
        label={<strong>{channel}</strong>}
        hint={CHANNEL_TEXTS[channel]}
      />
      <details class="disclosure indent" open={types.some((type) => values.types.includes(type))}>
        <summary>
          Only some events<span class="sr-only"> of {channel}</span>
        </summary>
        <fieldset>
          <legend class="sr-only">Events of {channel}</legend>
          <p class="hint">If none is checked: all of them.</p>
          <div class="checks">
            {types.map((type) => (
              <Check
                name="type"
                value={type}
                checked={values.types.includes(type)}
                label={<code>{type}</code>}
                hint={CATALOG[type].summary}
              />
            ))}
          </div>
        </fieldset>
      </details>
    </div>
  )
}

const named = (list: readonly { id: string; name: string }[], none: string) => [
  { value: '', label: none },
  ...list.map(({ id, name }) => ({ value: id, label: name })),
]

const Filters: FC<{ filters: Readonly<Record<string, string>>; options: FilterOptions; error: AppError | null }> = (
  props,
) => {
  const { filters, options, error } = props
  const at = (key: string) => ({ value: filters[key] ?? '', error: errorAt(error, `filters.${key}`) })
  return (
    <fieldset>
      <legend>Only events about</legend>
      <div class="form-row">
        <Select name="project_id" label="Project" options={named(options.projects, 'Any')} {...at('project_id')} />
        <Select
          name="workspace_id"
          label="Workspace"
          options={named(options.workspaces, 'Any')}
          {...at('workspace_id')}
        />
        <Select
          name="scope"
          label="Scope"
          options={[{ value: '', label: 'Any' }, ...ITEM_SCOPES.map((scope) => ({ value: scope, label: scope }))]}
          {...at('scope')}
        />
        <Field name="namespace" label="Namespace" maxlength={MAX_NAMESPACE_CHARACTERS} {...at('namespace')} />
        <Field name="conversation_id" label="Conversation" maxlength={128} {...at('conversation_id')} />
      </div>
    </fieldset>
  )
}
