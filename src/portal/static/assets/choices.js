import { announce } from './announce.js'

// ---- the language of snippets ----

const LANGUAGE = 'recollect-language'
const languages = () => document.querySelectorAll('[data-snippets] input[type="radio"]')

/** Shows all snippets of the page in one language; those that lack it stay as they are. */
function showLanguage(language) {
  for (const input of languages()) if (input.value === language) input.checked = true
}
if (languages().length > 0) showLanguage(localStorage.getItem(LANGUAGE) ?? '')

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest('[data-snippets]')) return
  localStorage.setItem(LANGUAGE, target.value)
  showLanguage(target.value)
})

// ---- presets ----

document.addEventListener('click', (event) => {
  const preset = event.target instanceof Element ? event.target.closest('[data-preset]') : null
  if (!preset) return
  event.preventDefault()
  const scopes = preset.dataset.preset.split(' ')
  for (const input of document.querySelectorAll('input[name="scope"]')) input.checked = scopes.includes(input.value)
  for (const one of document.querySelectorAll('[data-preset]')) one.removeAttribute('aria-current')
  preset.setAttribute('aria-current', 'true')
  announce(`${scopes.length} scopes chosen`)
})
