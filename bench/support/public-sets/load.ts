import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readBeam } from './beam.ts'
import { readLongMemEval } from './longmemeval.ts'
import type { SetChat } from './set.ts'
import { readLocomo, readRealTalk } from './two-speakers.ts'

export const SET_NAMES = ['longmemeval', 'locomo', 'realtalk', 'beam'] as const
export type SetName = (typeof SET_NAMES)[number]

export interface LoadedSet {
  chats: SetChat[]
  /** Of all files that were read, in their order. */
  sha256: string
}

/**
 * Reads a public set as it is published: a file of LongMemEval or LoCoMo, a file or the folder `data` of REALTALK, a folder
 * such as `chats/100K` of BEAM or one chat of it.
 */
export function loadSet(name: SetName, path: string): LoadedSet {
  const hash = createHash('sha256')
  const read = (file: string): unknown => {
    const bytes = readFileSync(file)
    hash.update(bytes)
    return JSON.parse(bytes.toString()) as unknown
  }
  const chats = chatsOf(name, path, read)
  if (chats.length === 0) throw new Error(`${path} has no chats of ${name}`)
  return { chats, sha256: hash.digest('hex') }
}

function chatsOf(name: SetName, path: string, read: (file: string) => unknown): SetChat[] {
  if (name === 'longmemeval') return readLongMemEval(read(path))
  if (name === 'locomo') return readLocomo(read(path))
  if (name === 'realtalk')
    return filesOf(path, (file) => /^Chat_.*\.json$/.test(file)).map((file) =>
      readRealTalk(basename(file, '.json'), read(file)),
    )
  return foldersOf(path).map((folder) =>
    readBeam(
      basename(folder),
      read(join(folder, 'chat.json')),
      read(join(folder, 'probing_questions/probing_questions.json')),
    ),
  )
}

const sorted = (names: string[]): string[] => names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

const filesOf = (path: string, isOfSet: (name: string) => boolean): string[] =>
  statSync(path).isDirectory() ? sorted(readdirSync(path).filter(isOfSet)).map((name) => join(path, name)) : [path]

const foldersOf = (path: string): string[] =>
  [path, ...sorted(readdirSync(path)).map((name) => join(path, name))].filter((folder) =>
    existsSync(join(folder, 'chat.json')),
  )
