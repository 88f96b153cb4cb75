import { invalid } from '../../core/errors.ts'
import { parseObject, type Result, type Form } from '../form.ts'

type ItemFields = { content: { text: string; metadata?: unknown }; tags: string[]; ttl?: number }

/** The fields of an item from a form. The form holds metadata as JSON. */
export function readItem(form: Form): Result<ItemFields> {
  const metadata = parseObject(form.text('metadata') || '{}')
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
