import type { FC } from 'hono/jsx'
import type { Snippet } from '../snippets/requests.ts'
import { Code } from './code.tsx'

/** The same in several languages, of which one is shown. Choosing needs no script; the script remembers the choice. */
export const Snippets: FC<{ id: string; label: string; snippets: readonly Snippet[] }> = ({ id, label, snippets }) => (
  <div class="snippets" data-snippets>
    <fieldset class="snippet-tabs">
      <legend class="sr-only">Language of: {label}</legend>
      {snippets.map(({ language }, index) => (
        <label>
          <input type="radio" name={`language-${id}`} value={language} checked={index === 0} />
          <span>{language}</span>
        </label>
      ))}
    </fieldset>
    {snippets.map(({ language, text }) => (
      <div data-language={language}>
        <Code label={`${label}: ${language}`} text={text} />
      </div>
    ))}
  </div>
)
