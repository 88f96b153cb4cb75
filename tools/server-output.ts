import { stripVTControlCharacters } from 'node:util'

/** Routine lines: a queue that delivered all its messages, the cron trigger, the probes, and where wrangler keeps its log. */
const ROUTINE =
  /^(\[wrangler:info\] (QUEUE \S+ (\d+)\/\3 |GET \/cdn-cgi\/\S* 200 |HEAD \/health 200 )|🪵 +Logs were written to )/u
/** The runtime's line about a receiver that it cannot reach. The delivery has a line of its own. */
const UNREACHABLE = /ERROR.*(failed to lookup address|DNS lookup failed|[Cc]onnection (refused|reset)|disconnected: )/
/** The line about a request. */
const REQUEST = /^\[wrangler:info\] (\w+ \S+) \d{3} /
/** The lines that the runtime adds to an error. */
const MORE_OF_ERROR = /^\s*(stack: .*)?$/

/** The output of the server that `npm start` shows: requests and faults, without routine lines. */
export class ServerOutput {
  #inError = false
  /** Requests of `npm start` itself, whose lines have not come yet. */
  readonly #own: string[] = []

  /** Called before a request of `npm start` itself, as `GET /health`. Its line may come long after its answer. */
  hide(request: string): void {
    this.#own.push(request)
  }

  /** The line to show; null for none. */
  shown(line: string): string | null {
    const plain = stripVTControlCharacters(line)
    const more = this.#inError && MORE_OF_ERROR.test(plain)
    this.#inError = more || UNREACHABLE.test(plain)
    if (this.#inError || this.#isOwn(plain) || ROUTINE.test(plain)) return null
    return attemptIn(plain) ?? line
  }

  /** A request is told once. */
  #isOwn(line: string): boolean {
    const at = this.#own.indexOf(REQUEST.exec(line)?.[1] ?? '')
    if (at >= 0) this.#own.splice(at, 1)
    return at >= 0
  }
}

/** An attempt of a webhook in one short line; null where the line is about something else. */
function attemptIn(line: string): string | null {
  if (!line.startsWith('{"level":"info","event":"delivery.attempt"')) return null
  const { subscription_id, attempt, status_code, error, duration_ms, outcome } = JSON.parse(line) as Record<
    string,
    string | number | null
  >
  return `[webhook] ${subscription_id} attempt ${attempt}: ${error ?? status_code}, ${outcome} (${duration_ms}ms)`
}
