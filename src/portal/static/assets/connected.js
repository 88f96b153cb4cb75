import { announce } from './announce.js'
import { isOver, replaceParts } from './parts.js'

const EVERY_MS = 3_000
const MAX_WAIT_MS = 10 * 60_000

const waiting = document.querySelector('[data-connected]')

/** Waits until an agent has connected, while the page is visible. Then it says which, and the list of agents is read again. */
export function waitForAgent(onReplaced) {
  if (!waiting) return
  const badge = waiting.querySelector('.badge')
  const ends = performance.now() + MAX_WAIT_MS
  const say = (className, text) => {
    badge.className = className
    badge.textContent = text
    announce(text)
  }
  const ask = async () => {
    const names = document.hidden ? [] : await connectedNow()
    if (names === null) {
      say('badge', 'No longer waiting. Reload the page to wait again.')
    } else if (names.length > 0) {
      say('badge badge-ok', `Connected: ${names.join(', ')}`)
      await replaceParts(onReplaced)
    } else if (performance.now() < ends) {
      setTimeout(() => void ask(), EVERY_MS)
    } else {
      say('badge', 'No agent has connected yet. Reload the page to wait again.')
    }
  }
  setTimeout(() => void ask(), EVERY_MS)
}

/** Who has connected; null where no later request can tell. A failed request is not an answer: the next one asks again. */
async function connectedNow() {
  try {
    const response = await fetch(waiting.dataset.connected, { headers: { Accept: 'application/json' } })
    if (isOver(response)) return null
    return response.ok ? (await response.json()).connected : []
  } catch {
    return []
  }
}
