import { MAX_TAG_CHARACTERS } from '../../core/values/items.ts'
import { MAX_TEXT_CHARACTERS, type StoreInput, type UpdateInput } from '../item.ts'
import { MAX_REASON_CHARACTERS } from '../retirement/retired-fields.ts'
import type { Operation } from '../write/operation.ts'
import { findIn, findInValue, type Finding } from './find/find-in.ts'

const markOf = ({ kind }: Finding): string => `[secret: ${kind}]`
/** For texts that would break their bounds otherwise; cut where the secret is shorter. */
const SHORT_MARK = '[secret]'

type IsRedacted = (finding: Finding) => boolean

const redactText = (text: string, max: number, isRedacted: IsRedacted): string =>
  text.length < SHORT_MARK.length ? text : marked(text, max, findIn(text).filter(isRedacted))

/** The text with a mark in the place of each finding. It is never longer than `max` where the text was not. */
function marked(text: string, max: number, findings: readonly Finding[]): string {
  if (findings.length === 0) return text
  for (const mark of [markOf, () => SHORT_MARK]) {
    const changed = replaced(text, findings, mark)
    if (changed.length <= max) return changed
  }
  return replaced(text, findings, ({ start, end }) => SHORT_MARK.slice(0, end - start))
}

function replaced(text: string, findings: readonly Finding[], mark: (finding: Finding) => string): string {
  const parts: string[] = []
  let from = 0
  for (const finding of findings) {
    parts.push(text.slice(from, finding.start), mark(finding))
    from = finding.end
  }
  return [...parts, text.slice(from)].join('')
}

/** The operation with marks in its text, its tags, the values of its metadata and its reason. */
export function redactedOperation(operation: Operation, isRedacted: IsRedacted): Operation {
  const reasonOf = (reason: string): string => redactText(reason, MAX_REASON_CHARACTERS, isRedacted)
  if (operation.op === 'retire')
    return { ...operation, reason: operation.reason === null ? null : reasonOf(operation.reason) }
  if (operation.op === 'update') return { ...operation, input: redacted(operation.input, isRedacted) }
  if (operation.op !== 'store') return operation
  const { retirement } = operation
  const input = redacted(operation.input, isRedacted)
  return {
    ...operation,
    input: input.supersede_reason == null ? input : { ...input, supersede_reason: reasonOf(input.supersede_reason) },
    ...(retirement?.reason ? { retirement: { ...retirement, reason: reasonOf(retirement.reason) } } : {}),
  }
}

function redacted<I extends StoreInput | UpdateInput>(input: I, isRedacted: IsRedacted): I {
  const { content, tags } = input
  return {
    ...input,
    ...(content
      ? {
          content: {
            ...content,
            ...(content.text === undefined ? {} : { text: redactText(content.text, MAX_TEXT_CHARACTERS, isRedacted) }),
            ...(content.metadata ? { metadata: redactedMembers(content.metadata, isRedacted) } : {}),
          },
        }
      : {}),
    ...(tags ? { tags: [...new Set(tags.map((tag) => redactText(tag, MAX_TAG_CHARACTERS, isRedacted)))] } : {}),
  }
}

const redactedMembers = (members: object, isRedacted: IsRedacted): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, redactedValue(key, value, isRedacted)]))

/** The bound of metadata is one of its whole: no value grows. */
function redactedValue(name: string, value: unknown, isRedacted: IsRedacted): unknown {
  if (typeof value === 'string') return marked(value, value.length, findInValue(name, value).filter(isRedacted))
  if (typeof value === 'number') {
    const text = String(value)
    const changed = redactText(text, text.length, isRedacted)
    return changed === text ? value : changed
  }
  if (Array.isArray(value)) return value.map((member) => redactedValue(name, member, isRedacted))
  return value === null || typeof value !== 'object' ? value : redactedMembers(value, isRedacted)
}
