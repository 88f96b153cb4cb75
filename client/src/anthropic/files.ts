import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { errorOf, NotFoundError, problemOf, RecollectError, type Problem } from '../errors.ts'
import type { Recollect } from '../index.ts'
import type { BatchOperation, MemoryItem } from '../types.ts'
import { isPath, requireFitting } from './path.ts'
import type { Edit } from './texts.ts'

/** Operations of one batch, and items of one page (contract §3). */
const MAX_BATCH = 50
const MAX_PAGE = 100
const MAX_ATTEMPTS = 3

export interface File {
  id: string
  item: MemoryItem
}

export interface Place {
  recollect: Recollect
  context: { project_id?: string; namespace?: string }
  tags: string[]
}

/** The items of one namespace as files, by `custom_id`. A folder is there while a file is in it. */
export class Files {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  async find(id: string): Promise<MemoryItem | null> {
    if (id === '') return null
    const filters = JSON.stringify({ custom_id: id })
    const { data } = await this.#memory.list({ ...this.#place.context, filters, limit: 1 })
    return data[0] ?? null
  }

  async all(): Promise<File[]> {
    const files: File[] = []
    for await (const item of this.#memory.list({ ...this.#place.context, limit: MAX_PAGE })) {
      const id = item.custom_id?.normalize('NFC')
      if (id !== undefined && isPath(id)) files.push({ id, item })
    }
    return files
  }

  /** Makes a file. It never replaces one that another request makes at the same time. */
  async create(path: string, id: string, text: string): Promise<void> {
    const { context, tags } = this.#place
    try {
      await this.#memory.store(
        { content: { text }, context, tags, custom_id: id },
        { headers: { 'If-None-Match': '*' } },
      )
    } catch (error) {
      if (!isStatus(error, 412)) throw isTaken(error) ? hidden(path) : error
      if (await this.find(id)) throw new ToolError(`File ${path} already exists`)
      throw new ToolError(`The path ${path} belongs to a file that was retired. Choose another one.`)
    }
  }

  /** Changes the text that `change` was given, or reads again what another request has changed. Null where the file does not exist. */
  async edit(path: string, id: string, change: (text: string) => Edit): Promise<string | null> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const item = await this.find(id)
      if (!item) return null
      const { text, answer } = change(item.content.text)
      requireFitting(path, text)
      try {
        await this.#memory.update(item.id, { content: { text } }, { ifVersion: item.version })
        return answer
      } catch (error) {
        if (!isStatus(error, 412)) throw error
      }
    }
    throw new ToolError(`The file ${path} kept changing. View it, and try again.`)
  }

  /** Gives files other paths, all or none. */
  async move(path: string, moves: readonly { file: File; to: string }[]): Promise<void> {
    const [only] = moves
    try {
      if (moves.length === 1 && only) await this.#memory.update(only.file.item.id, { custom_id: only.to })
      else await this.#batch(moves.map(({ file, to }) => ({ op: 'update', id: file.item.id, custom_id: to })))
    } catch (error) {
      throw isTaken(error) ? new ToolError(`The destination ${path} already exists`) : error
    }
  }

  /** Deletes files, all or none. */
  async delete(path: string, files: readonly File[]): Promise<void> {
    const [only] = files
    try {
      if (files.length === 1 && only) await this.#memory.delete(only.item.id)
      else await this.#batch(files.map(({ item }) => ({ op: 'delete', id: item.id })))
    } catch (error) {
      throw error instanceof NotFoundError ? new ToolError(`The path ${path} does not exist`) : error
    }
  }

  async #batch(operations: BatchOperation[]): Promise<void> {
    try {
      await this.#memory.batch({ operations, atomic: true })
    } catch (error) {
      throw refusalIn(error) ?? error
    }
  }

  get #memory(): Recollect['memory'] {
    return this.#place.recollect.memory
  }
}

type BatchReport = Awaited<ReturnType<Recollect['memory']['batch']>>

/** Why the service refused one operation, and so the whole batch. */
function refusalIn(error: unknown): RecollectError | null {
  if (!(error instanceof RecollectError)) return null
  const { results = [] } = error.problem as Problem & Partial<BatchReport>
  const refused = results.find((result) => result.error)?.error
  return refused ? errorOf(problemOf(refused.code, refused.detail, refused.status)) : null
}

/** One atomic batch takes the whole folder. */
export function requireFewFiles(path: string, files: readonly File[]): void {
  if (files.length > MAX_BATCH)
    throw new ToolError(`The folder ${path} has ${files.length} files. At most ${MAX_BATCH} can change at once.`)
}

const isStatus = (error: unknown, status: number): boolean => error instanceof RecollectError && error.status === status
const isTaken = (error: unknown): boolean => error instanceof RecollectError && error.code === 'custom_id_taken'
const hidden = (path: string): ToolError =>
  new ToolError(`The path ${path} belongs to a file that you cannot access. Choose another one.`)
