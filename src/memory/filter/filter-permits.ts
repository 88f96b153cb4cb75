import type { Filter } from './filter.ts'

/** A filter past one of these numbers is large (contract §6). */
export const LARGE_FILTER_CONDITIONS = 8
export const LARGE_FILTER_METADATA_CONDITIONS = 4
export const LARGE_FILTER_VALUES = 64
/** The permits that a request with a large filter acquires. No limit of such a request is smaller. */
export const LARGE_FILTER_PERMITS = 5

/** Permits that a request with this filter needs besides its first. */
export function furtherPermits(filter: Filter | undefined): number {
  const { conditions, onMetadata, values } = filter ? sizeOf(filter) : NOTHING
  const large =
    conditions > LARGE_FILTER_CONDITIONS ||
    onMetadata > LARGE_FILTER_METADATA_CONDITIONS ||
    values > LARGE_FILTER_VALUES
  return large ? LARGE_FILTER_PERMITS - 1 : 0
}

/** Whether a filter leaves out any item at all. */
export const hasConditions = (filter: Filter): boolean => sizeOf(filter).conditions > 0

interface Size {
  conditions: number
  /** Of the conditions. */
  onMetadata: number
  values: number
}

const NOTHING: Size = { conditions: 0, onMetadata: 0, values: 0 }

function sizeOf(filter: Filter): Size {
  if ('not' in filter) return sizeOf(filter.not)
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : null
  if (!members) return { conditions: 1, onMetadata: 'metadata' in filter ? 1 : 0, values: valuesOf(filter) }
  const sizes = members.map(sizeOf)
  const sum = (of: keyof Size): number => sizes.reduce((total, size) => total + size[of], 0)
  return { conditions: sum('conditions'), onMetadata: sum('onMetadata'), values: sum('values') }
}

const valuesOf = (condition: Filter): number =>
  'tags' in condition ? condition.tags.length : 'oneOf' in condition ? condition.oneOf.length : 1
