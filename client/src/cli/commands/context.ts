import type { Command } from 'commander'
import { readAddress } from '../config/address.ts'
import { CredentialsFile } from '../config/credentials.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { columnsOf, type Io } from '../io.ts'
import { paintFor, type Paint } from '../output/paint.ts'
import { visibleJson } from '../output/visible.ts'
import { writeLine } from '../output/write-out.ts'
import { openService, type Service } from '../service.ts'

/** The options that every command takes. */
interface Globals {
  url?: string
  json?: boolean
  color: boolean
}

/** The environment of a command: its process, the logins, and the form of its output. */
export class Context {
  readonly io: Io
  readonly file: CredentialsFile
  /** A command that did part of its work sets another. */
  exit: ExitCode = EXIT.ok

  constructor(io: Io) {
    this.io = io
    this.file = new CredentialsFile(io)
  }

  /** The deployment: `--url`, else `RECOLLECT_URL`, else that of the latest login. */
  async address(command: Command): Promise<string> {
    const { url } = globalsOf(command)
    const named = url ?? (this.io.env['RECOLLECT_URL'] || undefined) ?? (await this.file.read()).current
    if (named !== undefined) return readAddress(named)
    throw new Failure(EXIT.usage, 'No deployment is set.', {
      hint: 'Use --url https://…, set RECOLLECT_URL, or log in: recollect login --url https://…',
    })
  }

  async service(command: Command): Promise<Service> {
    return openService(this.io, this.file, await this.address(command))
  }

  /** Whether the answer is JSON: it was asked for, or nobody looks at a terminal. */
  wantsJson(command: Command): boolean {
    return globalsOf(command).json === true || this.io.stdout.isTTY !== true
  }

  paint(command: Command): Paint {
    return paintFor(this.io, this.io.stdout, globalsOf(command).color)
  }

  get columns(): number {
    return columnsOf(this.io.stdout)
  }

  print(line: string): Promise<void> {
    return writeLine(this.io.stdout, line)
  }

  printJson(value: unknown): Promise<void> {
    return this.print(visibleJson(value, this.io.stdout.isTTY === true ? 2 : undefined))
  }

  /** Prints `value` as JSON or what `text` makes of it. */
  async show<T>(command: Command, value: T, text: (value: T) => string): Promise<void> {
    await (this.wantsJson(command) ? this.printJson(value) : this.print(text(value)))
  }

  say(line: string): void {
    this.io.stderr.write(`${line}\n`)
  }
}

const globalsOf = (command: Command): Globals => command.optsWithGlobals()
