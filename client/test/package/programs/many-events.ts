// Prints how many events arrived, and by how many bytes the heap grew over the second half. Run with --expose-gc.
import { Recollect, type EventMessage } from 'recollect'

const EVENTS = 10_000
declare const gc: () => void

const heap = () => {
  gc()
  return process.memoryUsage().heapUsed
}

const recollect = new Recollect({
  baseUrl: process.env['BASE'] ?? '',
  credential: { apiKey: 'rck_x' },
  sleep: async () => {},
})
const options = { channels: ['memory'] }
let before = 0
let count = 0
function take(): boolean {
  count += 1
  if (count === EVENTS / 2) before = heap()
  return count === EVENTS
}

if (process.env['BY'] === 'callback') {
  await new Promise<void>((resolve) => {
    const stream = recollect.events.listen<EventMessage>({
      ...options,
      onEvent: () => take() && resolve(stream.close()),
    })
  })
} else {
  for await (const _ of recollect.events.listen<EventMessage>(options)) if (take()) break
}
console.log(JSON.stringify({ count, grownBytes: heap() - before }))
