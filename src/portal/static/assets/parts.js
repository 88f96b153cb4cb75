import { announce } from './announce.js'

/** A page is read again this often while a part of it is unsettled. */
const EVERY_MS = 1_500
const MAX_READS = 40

const unsettled = () => document.querySelector('[data-unsettled]')

/**
 * Reads this page again while one of its parts is unsettled, and gives each part (`data-part`) the server's markup. `onReplaced`
 * gets the new part. A part that has the focus stays until it has lost it.
 */
export function followParts(onReplaced) {
  let reads = 0
  const follow = async () => {
    if (!unsettled() || reads === MAX_READS) return
    if (!document.hidden) {
      reads += 1
      if (!(await replaceParts(onReplaced))) return
    }
    setTimeout(() => void follow(), EVERY_MS)
  }
  setTimeout(() => void follow(), EVERY_MS)
}

/** Whether an answer says that the next one will be the same: the session has ended, or the page is gone. */
export const isOver = ({ redirected, status }) => redirected || status === 401 || status === 403 || status === 404

/** The page's own address. What a refused form answers has the address of the form, which nobody can read. */
const ownAddress = () => document.querySelector('[data-self]')?.dataset.self ?? location.href

/**
 * Reads this page again and replaces the parts that have changed; false where it is not to be read again. A failed request changes
 * nothing.
 */
export async function replaceParts(onReplaced) {
  const response = await fetch(ownAddress(), { headers: { Accept: 'text/html' } }).catch(() => null)
  if (!response) return true
  if (isOver(response)) return false
  if (!response.ok) return true
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const before = unsettled()
  for (const old of document.querySelectorAll('[data-part]')) {
    const now = fresh.querySelector(`[data-part="${CSS.escape(old.dataset.part)}"]`)
    if (!now || now.innerHTML === old.dataset.markup || old.contains(document.activeElement)) continue
    const { innerHTML } = now
    const part = document.importNode(now, true)
    part.dataset.markup = innerHTML
    old.replaceWith(part)
    onReplaced(part)
  }
  if (before && !unsettled()) announce(document.querySelector('[data-settled]')?.dataset.settled ?? 'Updated')
  return true
}
