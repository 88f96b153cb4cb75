import type { Child, FC } from 'hono/jsx'
import { CSRF_FIELD } from '../../auth/index.ts'
import type { AppError } from '../../core/errors.ts'
import type { PublicPageContext } from '../page-context.ts'
import { AtFields, faultOf, Refusal, useFieldError } from './field-errors.tsx'
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
    <AtFields.Provider value={new Set()}>
      {props.children}
      {props.error && <Refusal error={props.error} />}
    </AtFields.Provider>
  </form>
)

/** A field that nobody sees. */
export const Hidden: FC<{ name: string; value: string }> = ({ name, value }) => (
  <input type="hidden" name={name} value={useShown(name, value)} />
)

interface FieldProps {
  name: string
  label: string
  /** What stands behind the label. */
  note?: Child
  id?: string
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'number' | 'date' | 'datetime-local'
  value?: string
  hint?: Child
  error?: string | undefined
  /** What the API calls the field, where the form names it differently. */
  errorPath?: string
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
  const fault = useFieldError({ ...faultOf(props), label: props.label })
  const error = value === props.value ? fault : [fault, CUT].filter(Boolean).join(' ')
  const described = [props.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const shared = {
    id,
    name: props.name,
    required: props.required,
    placeholder: props.placeholder,
    minlength: props.minlength,
    maxlength: props.maxlength,
    // The first field with an error gets the focus.
    autofocus: props.autofocus || fault !== undefined,
    'aria-describedby': described,
    'aria-invalid': error ? 'true' : undefined,
  }
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {props.note}
      </label>
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
  errorPath?: string
  id?: string
}> = (props) => {
  const id = props.id ?? `field-${props.name}`
  const error = useFieldError({ ...faultOf(props), label: props.label })
  const described = [props.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
        aria-describedby={described}
        aria-invalid={error ? 'true' : undefined}
        autofocus={error !== undefined}
      >
        {props.options.map((option) => (
          <option value={option.value} selected={option.value === props.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Below id={id} hint={props.hint} error={error} />
    </div>
  )
}

/** Radio buttons that look like buttons. Without a `value` none is chosen, and the browser asks for one. */
export const Choices: FC<{
  name: string
  legend: string
  options: readonly Option[]
  value: string
  hint?: Child
  error?: string | undefined
  errorPath?: string
}> = (props) => {
  const error = useFieldError({ ...faultOf(props), label: props.legend })
  const id = `field-${props.name}`
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend>{props.legend}</legend>
      <div class="choices">
        {props.options.map((option, at) => (
          <label class="choice">
            <input
              type="radio"
              name={props.name}
              value={option.value}
              checked={option.value === props.value}
              required={props.value === ''}
              autofocus={at === 0 && error !== undefined}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <Below id={id} hint={props.hint} error={error} />
    </fieldset>
  )
}

interface GroupProps {
  /** What the API calls the field that the group fills. */
  name: string
  legend: string
  error: string | undefined
  children?: Child
}

/** Checkboxes that fill one field of the API. The group itself takes the focus with its error. */
export const FieldGroup: FC<GroupProps> = ({ name, legend, error: message, children }) => {
  const error = useFieldError({ name, label: legend, message })
  const id = `field-${name}`
  return (
    <fieldset
      aria-describedby={error && `${id}-error`}
      tabindex={error === undefined ? undefined : -1}
      autofocus={error !== undefined}
    >
      <legend>{legend}</legend>
      {children}
      <Below id={id} error={error} />
    </fieldset>
  )
}

export const Check: FC<{ name: string; value?: string; checked?: boolean; label: Child; hint?: Child }> = (props) => (
  <label class="check">
    <input type="checkbox" name={props.name} value={props.value ?? 'on'} checked={props.checked} />
    <span>
      {props.label}
      {props.hint && <span class="hint">{props.hint}</span>}
    </span>
  </label>
)
