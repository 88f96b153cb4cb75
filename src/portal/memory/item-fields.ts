import { invalid, type AppError } from '../../core/errors.ts'
import type { Form } from '../form.ts'

type ItemFields = { content: { text: string; metadata?: unknown }; tags: string[]; ttl?: number }

/** The fields of an item from a form. The form holds metadata as JSON. */
export function readItem(form: Form): { ok: true; value: ItemFields } | { ok: false; error: AppError } {
  const metadata = parseMetadata(form.text('metadata'))
  if (metadata === null)
    return {
      ok: false,
      error: invalid('content.metadata', 'invalid_json', 'Metadata is a JSON object, such as {"source": "chat"}.'),
    }
  return {
    ok: true,
    value: {
      content: { text: form.raw('text').replaceAll('\r\n', '\n'), metadata },
      tags: form.list('tags'),
      ...(form.text('ttl') === '' ? {} : { ttl: Number(form.text('ttl')) }),
    },
  }
}

function parseMetadata(text: string): Record<string, unknown> | null {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
