import type { Http, HttpRequest } from './http.ts'
import { ConnectionError, problemOf } from './errors.ts'

/** The lines of a response as they come. `timeoutMs` is the longest silence; the time of the caller does not count. */
export async function* linesOf<T>(http: Http, request: HttpRequest): AsyncGenerator<T, void> {
  const deadline = http.deadline(request)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  try {
    const { data: body } = await http.open(request, deadline, async (response) => response.body)
    if (body === null) return
    reader = body.getReader()
    const decoder = new TextDecoder()
    let rest = ''
    for (let ended = false; !ended;) {
      deadline.start()
      const { done, value } = await deadline.race(reader.read())
      deadline.pause()
      ended = done
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) if (line !== '') yield JSON.parse(line) as T
    }
  } catch (cause) {
    if (deadline.signal.aborted) throw deadline.signal.reason
    throw cause instanceof TypeError || cause instanceof SyntaxError
      ? new ConnectionError(problemOf('connection_failed', 'The connection was lost.'), null, cause)
      : cause
  } finally {
    deadline.end()
    await reader?.cancel().catch(() => {})
  }
}
