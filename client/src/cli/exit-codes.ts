/** The exit codes of a command, for scripts (docs/cli.md). */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  invalid: 7,
  limited: 8,
  unavailable: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The exit code of an answer that is no 2xx. */
export function exitOfStatus(status: number): ExitCode {
  if (status === 401) return EXIT.unauthenticated
  if (status === 403) return EXIT.forbidden
  if (status === 404) return EXIT.notFound
  if (status === 409 || status === 412) return EXIT.conflict
  if (status === 429) return EXIT.limited
  if (status >= 500 || status === 408) return EXIT.unavailable
  return EXIT.invalid
}
