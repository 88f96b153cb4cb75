/** An event of the runtime's trace, as a streaming tail Worker gets it. */
export interface TailEvent {
  type: string
  name?: string
  spanId?: string
  info?: unknown
  /** Of the span that it belongs to. */
  context?: { spanId?: string }
}

/** Stands before each line of the tail Worker, among the lines that the Worker logs. */
export const TAIL_MARK = 'TAIL:'

/** A Worker that gets every trace event of another and logs it. */
export const TAIL_WORKER = {
  name: 'tail',
  compatibilityDate: '2026-11-17',
  compatibilityFlags: ['streaming_tail_worker'],
  modules: [
    {
      type: 'ESModule' as const,
      path: 'tail.mjs',
      contents: `
        // D1 counts rows in big integers, which JSON has none of; a handler that throws gets no further event.
        const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value)
        const say = ({ event, spanContext }) =>
          console.log('${TAIL_MARK}' + JSON.stringify({ ...event, context: spanContext }, plain))
        export default { tailStream(first) { say(first); return say } }`,
    },
  ],
}

const OURS = ['hub', 'keyword', 'vectors', 'embed', 'deliver']

/** Our spans with their attributes. */
export function ourSpans(events: readonly TailEvent[]): { name: string; attributes: Record<string, unknown> }[] {
  const spans = new Map<string, { name: string; attributes: Record<string, unknown> }>()
  for (const { type, name = '', spanId = '', info, context } of events) {
    if (type === 'spanOpen' && OURS.includes(name)) spans.set(spanId, { name, attributes: {} })
    if (type !== 'attributes' || !Array.isArray(info)) continue
    const span = spans.get(context?.spanId ?? '')
    for (const attribute of info as { name: string; value: unknown }[])
      if (span) span.attributes[attribute.name] = attribute.value
  }
  return [...spans.values()]
}
