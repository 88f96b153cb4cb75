// The pages work without this file. It adds local times, copy buttons and live updates.

import { announce } from './announce.js'
import './choices.js'
import { waitForAgent } from './connected.js'
import './forms.js'
import { followParts } from './parts.js'

document.documentElement.classList.add('js')

// ---- times ----

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const WEEK_MS = 7 * 86_400_000

// Short in every language: the labels of a plot stand close together.
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const zoned = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })

/** Plots: the labels of their steps, and the name of the zone beside them. */
function showClocks(root) {
  for (const element of root.querySelectorAll('[data-clock]')) {
    element.textContent = clock.format(new Date(element.dataset.clock))
  }
  for (const element of root.querySelectorAll('title[data-at]')) {
    element.textContent = `${absolute.format(new Date(element.dataset.at))} – ${element.dataset.said}`
  }
  for (const element of root.querySelectorAll('[data-zone]')) {
    const parts = zoned.formatToParts(new Date(element.dataset.zone))
    element.textContent = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  }
}
showClocks(document)
function showTimes(root) {
  for (const element of root.querySelectorAll('time[datetime]')) {
    const at = new Date(element.dateTime)
    const distance = at.getTime() - new Date().getTime()
    const unit = UNITS.find(([, ms]) => Math.abs(distance) >= ms)
    element.title = absolute.format(at)
    element.textContent =
      Math.abs(distance) > WEEK_MS || 'absolute' in element.dataset
        ? absolute.format(at)
        : unit
          ? relative.format(Math.round(distance / unit[1]), unit[0])
          : 'just now'
  }
}
showTimes(document)
followParts(showTimes)
waitForAgent(showTimes)

// ---- copying ----

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy)
  announce('Copied')
  button.classList.add('copied')
  // The button of an id is an icon, and has no text to change.
  const isIcon = button.querySelector('svg') !== null
  if (!isIcon) button.textContent = 'Copied'
  setTimeout(() => {
    button.classList.remove('copied')
    if (!isIcon) button.textContent = 'Copy'
  }, 2_000)
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button) void copy(button)
})

// ---- the command palette ----

const palette = document.querySelector('#palette')
const openPalette = async () => (await import('/assets/palette.js')).open()
if (palette) {
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    void openPalette()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-palette]')) void openPalette()
  })
}

// ---- events ----

const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count))

/**
 * Opens the service's WebSocket, authenticated by the session cookie. It reconnects and resumes after `lastEventId`.
 * `storage` keeps that id over a form's redirect, so that the next page shows the event that the form caused.
 */
function listen(channels, onEvent, onState, storage = {}) {
  const clientId = `portal-${randomBytes(12).join('-')}`
  let lastEventId = storage.last ?? null
  let leaving = false
  document.addEventListener('submit', () => (leaving = true))
  let failures = 0
  const open = () => {
    const query = new URLSearchParams({ channels: channels.join(','), client_id: clientId })
    if (lastEventId) query.set('last_event_id', lastEventId)
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/realtime?${query}`)
    let over = false
    const end = (code) => {
      if (over) return
      over = true
      const ended = code === 4401 || code === 4403
      onState(ended ? 'ended' : 'reconnecting')
      if (ended) return
      failures += 1
      const [jitter] = randomBytes(1)
      setTimeout(open, Math.min(30_000, 500 * 2 ** failures) * (0.5 + jitter / 510))
    }
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      if (message.type === 'pong') return
      lastEventId = message.id
      if (!leaving) storage.last = message.id
      if (message.type === 'system.status' && message.data.state === 'connected') {
        failures = 0
        onState('connected')
      } else if (message.type === 'system.status' && message.data.state === 'closing') {
        // The browser's own close event may come seconds later.
        socket.close()
        end(message.data.code)
      } else {
        onEvent(message)
      }
    })
    socket.addEventListener('close', ({ code }) => end(code))
  }
  open()
}

/** The channels and callbacks of this page; they share one connection, opened at the end of this file. */
const watchers = []

// ---- embedding statuses ----

const statuses = () => [...document.querySelectorAll('[data-memory-status]')]
const unsettled = () => statuses().filter(({ dataset }) => !['completed', 'failed'].includes(dataset.status))

/** Fetches this page again and replaces the statuses that changed by the server's markup. */
async function readStatuses() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const old of statuses()) {
    const now = fresh.querySelector(`[data-memory-status="${CSS.escape(old.dataset.memoryStatus)}"]`)
    if (!now || now.dataset.status === old.dataset.status) continue
    old.replaceWith(document.importNode(now, true))
    announce(`Embedding ${now.textContent.trim().toLowerCase()}`)
  }
}

let refreshTimer = null
/** Coalesces the refreshes of events that arrive together. */
function refreshStatuses(delayMs) {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = null
    void readStatuses()
  }, delayMs)
}

if (document.querySelector('[data-live-memory]')) {
  watchers.push({
    channels: ['memory'],
    onEvent({ data }) {
      if (statuses().some(({ dataset }) => dataset.memoryStatus === data.memory_id)) refreshStatuses(100)
    },
    onState(state) {
      if (state === 'connected' && unsettled().length > 0) refreshStatuses(0)
    },
  })
  // A failed embedding raises no event.
  setInterval(() => {
    if (!document.hidden && unsettled().length > 0) refreshStatuses(0)
  }, 5_000)
}

// ---- the live stream of events ----

const MAX_SHOWN = 200
const stream = document.querySelector('[data-live-events]')
if (stream) {
  const state = document.querySelector('[data-live-state]')
  const pause = document.querySelector('[data-live-pause]')
  const filter = document.querySelector('[data-live-filter]')
  const template = document.querySelector('[data-live-row]')
  const empty = document.querySelector('[data-live-empty]')
  const shownIds = new Set()
  /** The rows of events, oldest first: those that the server sent stay. */
  const shownRows = []
  let paused = false

  const matches = (text) => text.includes((filter?.value ?? '').trim().toLowerCase())
  const { liveOf } = stream.dataset
  const show = (message) => {
    if (shownIds.has(message.id) || (liveOf && message.data.memory_id !== liveOf)) return
    shownIds.add(message.id)
    const row = document.importNode(template.content, true).firstElementChild
    row.querySelector('[data-slot="type"]').textContent = message.type
    row.querySelector('[data-slot="channel"]').textContent = message.channel
    row.querySelector('time').dateTime = message.timestamp
    row.querySelector('[data-slot="id"]').textContent = message.id
    row.querySelector('[data-slot="data"]').textContent = JSON.stringify(message.data, null, 2)
    row.hidden = !matches(row.textContent.toLowerCase())
    showTimes(row)
    stream.prepend(row)
    shownRows.push(row)
    empty?.setAttribute('hidden', '')
    while (shownRows.length > MAX_SHOWN) shownRows.shift().remove()
  }
  filter?.addEventListener('input', () => {
    for (const row of stream.children) row.hidden = !matches(row.textContent.toLowerCase())
  })
  pause?.addEventListener('click', () => {
    paused = !paused
    pause.textContent = paused ? 'Continue' : 'Pause'
    pause.setAttribute('aria-pressed', String(paused))
  })
  const LABELS = {
    connected: ['badge badge-ok', 'Connected'],
    reconnecting: ['badge badge-warn badge-busy', 'Reconnecting'],
    ended: ['badge badge-danger', 'Session ended'],
  }
  watchers.push({
    channels: stream.dataset.liveEvents.split(','),
    onEvent: (message) => paused || show(message),
    onState(now) {
      ;[state.className, state.textContent] = LABELS[now]
    },
  })
}

if (watchers.length > 0)
  listen(
    [...new Set(watchers.flatMap(({ channels }) => channels))],
    (message) => watchers.forEach(({ onEvent }) => onEvent(message)),
    (state) => watchers.forEach(({ onState }) => onState(state)),
    stream ? sessionStorage : {},
  )
