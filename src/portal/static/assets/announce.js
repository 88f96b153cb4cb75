const announcer = document.createElement('div')
announcer.className = 'sr-only'
announcer.setAttribute('role', 'status')
document.body.append(announcer)

/** Tells screen readers. */
export const announce = (text) => {
  announcer.textContent = text
}
