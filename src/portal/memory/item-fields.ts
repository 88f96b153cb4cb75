import { parseObject, type Result, type Form } from '../form.ts'

type ItemFields = {
  content: { text: string; metadata?: unknown }
  tags: string[]
  ttl?: number
  occurred_at?: string | null
}

/** The fields of an item from a form, which holds metadata as JSON and `occurred_at` in UTC without a zone. */
export function readItem(form: Form): Result<ItemFields> {
  const example = 'Metadata must be a JSON object, such as {"source": "chat"}.'
  const metadata = parseObject(form.text('metadata') || '{}', 'content.metadata', example)
  if (!metadata.ok) return metadata
  const occurredAt = form.text('occurred_at')
  return {
    ok: true,
    value: {
      content: { text: form.raw('text').replaceAll('\r\n', '\n'), metadata: metadata.value },
      tags: form.list('tags'),
      ...(form.text('ttl') === '' ? {} : { ttl: Number(form.text('ttl')) }),
      ...(form.has('occurred_at') ? { occurred_at: occurredAt === '' ? null : `${occurredAt}Z` } : {}),
    },
  }
}
