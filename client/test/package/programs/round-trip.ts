// What every runtime runs: an item is stored, found, heard of and deleted. The package is the packed one.
import { NotFoundError, Recollect, type Credential, type EventStream } from 'recollect'

export async function roundTrip(baseUrl: string, credential: Credential): Promise<string> {
  const recollect = new Recollect({ baseUrl, credential })
  const stream = await new Promise<EventStream>((resolve) => {
    const opened = recollect.events.listen({ channels: ['memory'], onConnected: () => resolve(opened) })
  })
  const stored = await recollect.memory.store({ content: 'The kettle whistles at noon.', tags: ['kitchen'] })
  const heard: string[] = []
  for await (const event of stream) {
    heard.push(event.type)
    if (event.type === 'memory.created' && event.data.memory_id === stored.id) break
  }
  const { results } = await recollect.memory.search({ query: 'kettle', mode: 'keyword' })
  const listed: string[] = []
  for await (const item of recollect.memory.list({ limit: 1 })) listed.push(item.id)
  const exported: string[] = []
  for await (const item of recollect.memory.export()) exported.push(item.content.text)
  await recollect.memory.delete(stored.id)
  const gone = await recollect.memory.retrieve(stored.id).catch((error: unknown) => error)
  return JSON.stringify({
    heard,
    found: results.map(({ id }) => id === stored.id),
    listed: listed.length,
    exported,
    gone: gone instanceof NotFoundError && gone.code,
  })
}
