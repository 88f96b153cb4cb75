import {
  CHANNELS,
  channelOf,
  EVENT_TYPES,
  FILTER_KEYS,
  isBuiltInChannel,
  type Subscription,
} from '../../events/index.ts'
import { invalid } from '../../core/errors.ts'
import type { Form } from '../form.ts'

/** The values of the form's fields, from a subscription or as typed. */
export interface WebhookValues {
  url: string
  /** Built-in channels. */
  channels: readonly string[]
  /** Built-in types. A channel without any means all its types. */
  types: readonly string[]
  ownChannels: readonly string[]
  ownTypes: readonly string[]
  filters: Readonly<Record<string, string>>
}

export const FIRST_VALUES: WebhookValues = {
  url: '',
  channels: ['memory'],
  types: [],
  ownChannels: [],
  ownTypes: [],
  filters: {},
}

export const typesOf = (channel: string): string[] => EVENT_TYPES.filter((type) => channelOf(type) === channel)

/** A checked type includes its channel. */
export function valuesIn(form: Form): WebhookValues {
  const types = form.all('type')
  const chosen = new Set([...form.all('channel'), ...types.map((type) => channelOf(type) ?? '')])
  const filters = FILTER_KEYS.map((key) => [key, form.text(key)] as const)
  return {
    url: form.text('url'),
    channels: CHANNELS.filter((channel) => chosen.has(channel)),
    types,
    ownChannels: form.list('own_channels'),
    ownTypes: form.list('own_types'),
    filters: Object.fromEntries(filters.filter(([, value]) => value !== '')),
  }
}

export function valuesOf({ channels, events, filters, delivery }: Subscription): WebhookValues {
  return {
    url: delivery.url,
    channels: channels.filter(isBuiltInChannel),
    types: events.filter((type) => channelOf(type) !== undefined),
    ownChannels: channels.filter((channel) => !isBuiltInChannel(channel)),
    ownTypes: events.filter((type) => channelOf(type) === undefined),
    filters,
  }
}

/**
 * The channels, events and filters of the API request. Its `events` hold for all channels, so once some types are
 * checked, a channel without a checked type contributes all its types. Throws if an own channel has no types to name.
 */
export function interestIn({ channels, types, ownChannels, ownTypes, filters }: WebhookValues) {
  const narrowed = types.length > 0 || ownTypes.length > 0
  if (narrowed && ownChannels.length > 0 && ownTypes.length === 0) {
    throw invalid('own_types', 'required', 'Some events are selected above, so list those of your own channels too.')
  }
  const of = (channel: string): string[] => {
    const chosen = typesOf(channel).filter((type) => types.includes(type))
    return chosen.length > 0 ? chosen : typesOf(channel)
  }
  return {
    channels: [...channels, ...ownChannels],
    events: narrowed ? [...channels.flatMap(of), ...ownTypes] : [],
    filters,
  }
}

/** One header a line. Throws for a line that is none. */
export function headersIn(form: Form): Record<string, string> {
  const lines = form
    .text('headers')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const headers = lines.map((line) => {
    const at = line.indexOf(':')
    if (at < 1) throw invalid('delivery.headers', 'invalid_header', 'One header per line: Name: value')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
  })
  return Object.fromEntries(headers)
}
