// Accessibility that the renderer lacks: fields without a name and a state, and code that the keyboard cannot scroll.
const nameOf = (field) => {
  let row = field.parentElement
  for (let level = 0; row && level < 4; level += 1, row = row.parentElement) {
    const label = /^\s*([^:\n]{1,40}):/.exec(row.textContent)?.[1]
    if (label) return label
  }
  return field.dataset.placeholder || 'Value'
}

const mend = () => {
  for (const field of document.querySelectorAll('[contenteditable][role="combobox"]')) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', nameOf(field))
    if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false')
  }
  for (const code of document.querySelectorAll('code.custom-scroll:not([tabindex])')) {
    code.tabIndex = 0
    code.setAttribute('role', 'group')
    code.setAttribute('aria-label', 'Commands')
  }
}

new MutationObserver(mend).observe(document.body, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['role', 'aria-expanded'],
})
