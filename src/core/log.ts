/** One wide, structured line. It never holds a text, a query, a token or a header value of a client. */
export interface LogLine {
  event: string
  [field: string]: unknown
}

export interface Log {
  info(line: LogLine): void
  error(line: LogLine, cause?: unknown): void
}

const describe = (cause: unknown): unknown =>
  cause instanceof Error
    ? { name: cause.name, message: cause.message, stack: cause.stack, cause: cause.cause && describe(cause.cause) }
    : String(cause)

export const consoleLog: Log = {
  info: (line) => console.log(JSON.stringify({ level: 'info', ...line })),
  error: (line, cause) =>
    console.error(
      JSON.stringify({ level: 'error', ...line, cause: cause === undefined ? undefined : describe(cause) }),
    ),
}
