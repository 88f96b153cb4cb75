import type { FC } from 'hono/jsx'
import { SAMPLE_QUESTION } from '../../core/sample.ts'

/** The field for a question, and the button beside it. */
export const SearchInput: FC<{ value?: string; required?: boolean }> = ({ value, required }) => (
  <>
    <label class="sr-only" for="field-q">
      Question or keywords
    </label>
    <input
      class="input input-large"
      id="field-q"
      name="q"
      type="search"
      required={required}
      autocomplete="off"
      placeholder={SAMPLE_QUESTION}
      value={value}
    />
    <button class="button button-primary button-large" type="submit">
      Search
    </button>
  </>
)
