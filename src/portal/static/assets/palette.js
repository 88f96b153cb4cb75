// The command palette: loaded when it is first opened.
import Combobox from './combobox-nav.js'

const dialog = document.querySelector('#palette')
const input = dialog.querySelector('input')
const list = dialog.querySelector('[role="listbox"]')
const none = dialog.querySelector('.palette-none')
const combobox = new Combobox(input, list, { firstOptionSelectionMode: 'selected', tabInsertsSuggestions: false })

/** Where the page of an id is, by its prefix. */
const PAGES = { mem: 'memory', prj: 'projects', wsp: 'workspaces', key: 'keys', app: 'apps', sub: 'webhooks' }
const MAX_SHOWN = 50

let count = 0
function option(label, kind, href) {
  const item = document.createElement('li')
  item.setAttribute('role', 'option')
  item.dataset.href = href
  const name = document.createElement('span')
  name.textContent = label
  const what = document.createElement('span')
  what.className = 'muted small'
  what.textContent = kind
  item.append(name, ' ', what)
  return item
}

/** What was typed leads somewhere itself: to the page of an id, or to a search for it. */
function directOptions(text) {
  const [, id, prefix] = /^(([a-z]{3})_[0-9A-Z]{26})$/.exec(text) ?? []
  const direct = id && PAGES[prefix] ? [option(id, 'Open', `/portal/${PAGES[prefix]}/${id}`)] : []
  if (id) return [...direct, option(id, 'Audit log', `/portal/audit?resource_id=${id}&page_reads=include`)]
  return text === ''
    ? []
    : [option(`Search memories for “${text}”`, 'Memory', `/portal/memory?q=${encodeURIComponent(text)}`)]
}

function narrow() {
  const text = input.value.trim()
  const words = text.toLowerCase().split(/\s+/)
  for (const old of list.querySelectorAll('[data-direct]')) old.remove()
  let shown = 0
  for (const item of list.children) {
    const has = item.textContent.toLowerCase()
    item.hidden = shown >= MAX_SHOWN || !words.every((word) => has.includes(word))
    if (!item.hidden) shown += 1
  }
  for (const item of directOptions(text)) {
    item.dataset.direct = ''
    list.append(item)
    shown += 1
  }
  for (const item of list.children) item.id ||= `palette-option-${(count += 1)}`
  for (const item of list.children) if (!item.hasAttribute('aria-selected')) item.setAttribute('aria-selected', 'false')
  none.hidden = shown > 0
  list.hidden = shown === 0
  combobox.resetSelection()
}

let loading = null
/** The things of the user, once a page. Without them the pages are found all the same. */
async function loadThings() {
  const response = await fetch('/portal/things', { headers: { Accept: 'application/json' } })
  if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json')) return
  const { things } = await response.json()
  list.append(...things.map(({ label, kind, href }) => option(label, kind, href)))
  narrow()
}

list.addEventListener('combobox-commit', ({ target }) => {
  dialog.close()
  location.assign(target.dataset.href)
})
dialog.addEventListener('close', () => combobox.stop())
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})

export function open() {
  if (dialog.open) {
    dialog.close()
    return
  }
  input.value = ''
  dialog.showModal()
  combobox.start()
  // After the handler of the list box, which takes the choice away.
  input.removeEventListener('input', narrow)
  input.addEventListener('input', narrow)
  narrow()
  loading ??= loadThings()
}
