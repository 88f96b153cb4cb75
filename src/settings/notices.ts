import { nearName } from '../core/values/near-name.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './table.ts'

const NAMES = Object.keys(SETTINGS)

const RENAMED = new Map(
  Object.entries<Setting>(SETTINGS).flatMap(([name, { oldName }]) => (oldName === undefined ? [] : [[oldName, name]])),
)

/** Warnings for the operator about the names of the variables that are set: old names, and names that look misspelt. */
export function noticesOf(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const renamed = RENAMED.get(name)
    if (renamed !== undefined) return [`${name} is now called ${renamed}; the old name still works`]
    if (NAMES.includes(name)) return []
    const meant = nearName(name, NAMES)
    return meant === null ? [] : [`${name} is not a variable of the service. Did you mean ${meant}?`]
  })
}
