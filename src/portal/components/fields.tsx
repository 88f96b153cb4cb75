import type { Child, FC } from 'hono/jsx'
import { CSRF_FIELD } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { PublicPageContext } from '../page-context.ts'
import { Notice } from './elements.tsx'
import { useShown } from './shown-again.tsx'

interface FormProps {
  ctx: PublicPageContext
  action: string
  class?: string
  /** Adds an idempotency key: a form that creates something and is sent twice creates once. */
  creates?: boolean
  upload?: boolean
  error?: AppError | null
  label?: string
  children?: Child
}

/** A form with the CSRF token of its session. */
export const PostForm: FC<FormProps> = (props) => (
  <form
    method="post"
    action={props.action}
    class={props.class ?? 'form'}
    enctype={props.upload ? 'multipart/form-data' : undefined}
    aria-label={props.label}
  >
    <input type="hidden" name={CSRF_FIELD} value={props.ctx.csrf} />
    {props.creates && <input type="hidden" name="once" value={props.ctx.system.newId('req')} />}
    {props.error && (
      <Notice tone="danger">
        {props.error.detail}
        {props.error.headers['Retry-After'] ? ` Try again in ${props.error.headers['Retry-After']} s.` : ''}
      </Notice>
    )}
    {props.children}
  </form>
)

/** A field that nobody sees. */
export const Hidden: FC<{ name: string; value: string }> = ({ name, value }) => (
  <input type="hidden" name={name} value={useShown(name, value)} />
)

interface FieldProps {
  name: string
  label: string
  id?: string
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'number' | 'date' | 'datetime-local'
  value?: string
  hint?: Child
  error?: string | undefined
  required?: boolean
  autocomplete?: string
  placeholder?: string
  minlength?: number
  maxlength?: number
  rows?: number
  autofocus?: boolean
  min?: string
  max?: string
  step?: string
}

/** A labelled text field, with `rows` a text area; `aria-describedby` refers to its hint and its error. */
export const Field: FC<FieldProps> = (props) => {
  const id = props.id ?? `field-${props.name}`
  const value = props.value === undefined ? undefined : useShown(props.name, props.value)
  const error = value === props.value ? props.error : [props.error, CUT].filter(Boolean).join(' ')
  const described = [props.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const shared = {
    id,
    name: props.name,
    required: props.required,
    placeholder: props.placeholder,
    minlength: props.minlength,
    maxlength: props.maxlength,
    autofocus: props.autofocus,
    'aria-describedby': described,
    'aria-invalid': error ? 'true' : undefined,
  }
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.rows ? (
        <textarea rows={props.rows} {...shared}>
          {value ?? ''}
        </textarea>
      ) : (
        <input
          class="input"
          type={props.type ?? 'text'}
          value={value}
          autocomplete={props.autocomplete ?? 'off'}
          min={props.min}
          max={props.max}
          step={props.step}
          {...shared}
        />
      )}
      <Below id={id} hint={props.hint} error={error} />
    </div>
  )
}

const CUT = 'Too long to show again: this is only the beginning.'

const Below: FC<{ id: string; hint?: Child; error?: string | undefined }> = ({ id, hint, error }) => (
  <>
    {hint && (
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {error && (
      <span class="field-error" id={`${id}-error`}>
        {error}
      </span>
    )}
  </>
)

export interface Option {
  value: string
  label: string
}

export const Select: FC<{
  name: string
  label: string
  options: readonly Option[]
  value?: string
  hint?: Child
  error?: string | undefined
  id?: string
}> = (props) => {
  const id = props.id ?? `field-${props.name}`
  const described = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name} aria-describedby={described} aria-invalid={props.error ? 'true' : undefined}>
        {props.options.map((option) => (
          <option value={option.value} selected={option.value === props.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Below id={id} hint={props.hint} error={props.error} />
    </div>
  )
}

/** Radio buttons that look like buttons. */
export const Choices: FC<{
  name: string
  legend: string
  options: readonly Option[]
  value: string
  hint?: Child
  error?: string | undefined
}> = (props) => (
  <fieldset>
    <legend>{props.legend}</legend>
    <div class="choices">
      {props.options.map((option) => (
        <label class="choice">
          <input type="radio" name={props.name} value={option.value} checked={option.value === props.value} />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
    <Below id={`field-${props.name}`} hint={props.hint} error={props.error} />
  </fieldset>
)

export const Check: FC<{ name: string; value?: string; checked?: boolean; label: Child; hint?: Child }> = (props) => (
  <label class="check">
    <input type="checkbox" name={props.name} value={props.value ?? 'on'} checked={props.checked} />
    <span>
      {props.label}
      {props.hint && <span class="hint">{props.hint}</span>}
    </span>
  </label>
)
