import type { FC } from 'hono/jsx'
import { Icon } from '../components/icons.tsx'

interface Entry {
  href: string
  label: string
}

/** Pages that are no entry of the navigation, or do something at once. */
const ACTS: readonly Entry[] = [
  { href: '/portal/memory?store', label: 'Store a memory' },
  { href: '/portal/conversations', label: 'Conversations' },
  { href: '/portal/erasures/subjects', label: 'Subjects' },
  { href: '/portal/namespaces', label: 'Namespaces' },
  { href: '/portal/keys/new', label: 'Create an API key' },
  { href: '/portal/projects/new', label: 'Create a project' },
  { href: '/portal/webhooks/new', label: 'Add a webhook' },
  { href: '/portal/apps/new', label: 'Register an OAuth app' },
  { href: '/api-reference/errors', label: 'Errors of the API' },
  { href: '/api-reference/events', label: 'Events' },
]

/** Goes to a page or a thing by its name (Ctrl-K). The script opens it, and adds the things when it does. */
export const Palette: FC<{ pages: readonly Entry[] }> = ({ pages }) => (
  <dialog class="palette" id="palette" aria-label="Go to">
    <div class="palette-head">
      <Icon name="search" />
      <input
        id="palette-input"
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="Page, name, id or words"
        aria-label="Go to a page or an item"
      />
      <kbd>Esc</kbd>
    </div>
    <ul class="palette-list" id="palette-list" role="listbox" aria-label="Pages and items" tabindex={-1}>
      {pages.map(({ href, label }) => (
        <Option href={href} label={label} kind="Page" />
      ))}
      {ACTS.map(({ href, label }) => (
        <Option href={href} label={label} kind="Do" />
      ))}
    </ul>
    <p class="palette-none muted" hidden>
      No matches.
    </p>
  </dialog>
)

const Option: FC<{ href: string; label: string; kind: string }> = ({ href, label, kind }) => (
  <li role="option" data-href={href}>
    <span>{label}</span>
    <span class="muted small">{kind}</span>
  </li>
)

/** Opens the palette; without a script it is hidden. */
export const PaletteButton: FC = () => (
  <button
    class="palette-button js-only"
    type="button"
    data-palette
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
  >
    <Icon name="search" />
    <span>Go to…</span>
    <kbd>Ctrl K</kbd>
  </button>
)
