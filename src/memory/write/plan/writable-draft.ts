import { AppError } from '../../../core/errors.ts'
import { forbidden } from '../../../identity/index.ts'
import type { Draft } from './drafts.ts'

export function requireWritable(draft: Draft): void {
  if (!draft.writable) throw forbidden('You can read this memory item but not change it.')
}

/** 412 unless the item is at one of the versions; null: at any. */
export function requireVersion({ row }: Draft, versions: ReadonlySet<number> | null | undefined): void {
  if (!versions || versions.has(row.version)) return
  throw new AppError('precondition_failed', { detail: `The item is at version ${row.version}.` })
}
