import type { MemoryItem } from '../../memory/index.ts'

/** A sentence on the secrets that a write held; empty where it held none. */
export function secretNotice({ warnings = [] }: MemoryItem): string {
  const kinds = [...new Set(warnings.map(({ kind }) => kind))].join(', ')
  if (kinds === '') return ''
  const isStored = warnings.some(({ code }) => code === 'secret_found')
  return isStored ? ` It holds a secret (${kinds}), which was stored.` : ` A secret (${kinds}) was replaced.`
}
