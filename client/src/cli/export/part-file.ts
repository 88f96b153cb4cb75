import { createReadStream } from 'node:fs'
import { open, rename, rm, truncate, type FileHandle } from 'node:fs/promises'
import { isMissing, readPrivate, writePrivate } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { Position, type ExportedItem } from './position.ts'

/**
 * The file of an export while it grows: `NAME.part`, and beside it what was asked for. A later run of the same export goes
 * on behind its last whole line. Once complete, it becomes `NAME`.
 */
export class PartFile {
  readonly #name: string
  #file: FileHandle | null = null

  constructor(name: string) {
    this.#name = name
  }

  get #part(): string {
    return `${this.#name}.part`
  }

  get #asked(): string {
    return `${this.#part}.json`
  }

  /** Opens the file behind its last whole line. Where that is. */
  async open(query: string, restart: boolean): Promise<Position> {
    const earlier = restart ? null : await readPrivate(this.#asked)
    if (earlier !== null && earlier !== query) {
      throw new Failure(EXIT.usage, `${this.#part} is from a different export.`, {
        hint: 'To start from the beginning, use --restart',
      })
    }
    const position = earlier === null ? new Position() : await readPosition(this.#part)
    if (earlier === null) await rm(this.#part, { force: true })
    else await truncateTo(this.#part, position.bytes)
    await writePrivate(this.#asked, query)
    // A memory is private: the file is its owner's alone.
    this.#file = await open(this.#part, 'a', 0o600)
    return position
  }

  async write(line: string): Promise<void> {
    await this.#file?.appendFile(`${line}\n`)
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = null
  }

  /** The export is complete. */
  async finish(): Promise<void> {
    await this.#file?.sync()
    await this.close()
    await rename(this.#part, this.#name)
    await rm(this.#asked, { force: true })
  }
}

async function readPosition(path: string): Promise<Position> {
  const position = new Position()
  try {
    let rest = Buffer.alloc(0)
    for await (const chunk of createReadStream(path)) {
      rest = Buffer.concat([rest, chunk as Buffer])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        position.pass(JSON.parse(rest.subarray(0, end).toString('utf8')) as ExportedItem, end + 1)
        rest = rest.subarray(end + 1)
      }
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return position
}

async function truncateTo(path: string, bytes: number): Promise<void> {
  try {
    await truncate(path, bytes)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
