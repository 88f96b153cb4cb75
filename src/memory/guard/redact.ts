import { MAX_TAG_CHARACTERS } from '../../core/values/items.ts'
import { MAX_TEXT_CHARACTERS, type StoreInput, type UpdateInput } from '../item.ts'
import { MAX_REASON_CHARACTERS } from '../retirement/retired-fields.ts'
import type { Operation } from '../write/operation.ts'
import type { Finding } from './places.ts'
import { findIn } from './places.ts'

const markOf = ({ kind }: Finding): string => `[secret: ${kind}]`
/** For texts that would break their bounds otherwise; cut where the secret is shorter. */
const SHORT_MARK = '[secret]'

/** The text with a mark in the place of each finding that `isRedacted`. It is never longer than `max` where the text was not. */
function redactText(text: string, max: number, isRedacted: (finding: Finding) => boolean): string {
  const findings = text.length < SHORT_MARK.length ? [] : findIn(text).filter(isRedacted)
  if (findings.length === 0) return text
  for (const mark of [markOf, () => SHORT_MARK]) {
    const marked = replaced(text, findings, mark)
    if (marked.length <= max) return marked
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
export function redactedOperation(operation: Operation, isRedacted: (finding: Finding) => boolean): Operation {
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

function redacted<I extends StoreInput | UpdateInput>(input: I, isRedacted: (finding: Finding) => boolean): I {
  const { content, tags } = input
  const change = (text: string, max: number): string => redactText(text, max, isRedacted)
  return {
    ...input,
    ...(content
      ? {
          content: {
            ...content,
            ...(content.text === undefined ? {} : { text: change(content.text, MAX_TEXT_CHARACTERS) }),
            ...(content.metadata ? { metadata: redactedValue(content.metadata, change) } : {}),
          },
        }
      : {}),
    ...(tags ? { tags: [...new Set(tags.map((tag) => change(tag, MAX_TAG_CHARACTERS)))] } : {}),
  }
}

/** The bound of metadata is one of its whole: no value grows. */
function redactedValue(value: unknown, change: (text: string, max: number) => string): unknown {
  if (typeof value === 'string') return change(value, value.length)
  if (typeof value === 'number') {
    const text = String(value)
    const changed = change(text, text.length)
    return changed === text ? value : changed
  }
  if (Array.isArray(value)) return value.map((member) => redactedValue(member, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactedValue(member, change)]))
}
