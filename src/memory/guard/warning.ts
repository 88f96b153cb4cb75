import type { FieldError } from '../../core/errors.ts'
import { codePoints } from '../../core/values/code-points.ts'
import type { Warning } from '../warnings.ts'
import type { Finding } from './find/find-in.ts'
import type { Place } from './places.ts'

/** Code points of a text, counted once from its start to each finding. */
function* placed(
  text: string,
  findings: readonly Finding[],
): Generator<[finding: Finding, start: number, end: number]> {
  let [at, points] = [0, 0]
  for (const finding of findings) {
    const start = points + codePoints(text.slice(at, finding.start))
    const end = start + codePoints(text.slice(finding.start, finding.end))
    yield [finding, start, end]
    ;[at, points] = [finding.end, end]
  }
}

export const warningsOf = ({ path, text }: Place, findings: readonly Finding[], code: Warning['code']): Warning[] =>
  Array.from(placed(text, findings), ([{ kind }, start, end]) => ({ path, code, kind, start, end }))

/** What is refused, without the secret. */
export const errorsOf = ({ path, text, isName }: Place, findings: readonly Finding[]): FieldError[] =>
  Array.from(placed(text, findings), ([{ kind }, start, end]) => ({
    path,
    code: 'secret_found',
    message: `A secret was found (${kind}, characters ${start} to ${end}).${isName ? ' A name is never redacted.' : ''}`,
  }))
