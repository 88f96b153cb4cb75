import type { FC } from 'hono/jsx'
import { Field } from './fields.tsx'

interface FieldProps {
  error?: string | undefined
  autofocus?: boolean
}

/** The e-mail address as the user name of a password manager. */
export const EmailField: FC<FieldProps & { value: string }> = ({ value, error, autofocus }) => (
  <Field
    name="email"
    label="E-mail address"
    type="email"
    required
    autocomplete="username"
    value={value}
    error={error}
    autofocus={autofocus ?? false}
  />
)

/** Password managers need the user name beside a password field. */
export const Username: FC<{ email: string }> = ({ email }) => (
  <input type="text" autocomplete="username" value={email} readonly hidden aria-label="E-mail address" />
)

/** The password once more, where a session alone does not suffice. */
export const ConfirmPasswordField: FC<FieldProps & { id?: string }> = ({ id, error }) => (
  <Field
    name="password"
    {...(id === undefined ? {} : { id })}
    type="password"
    label="Your password, to confirm"
    required
    autocomplete="current-password"
    error={error}
  />
)

export const NewPasswordField: FC<FieldProps & { name: string; label: string; advice?: string }> = (props) => (
  <Field
    name={props.name}
    label={props.label}
    type="password"
    required
    minlength={12}
    autocomplete="new-password"
    hint={['At least 12 characters.', props.advice].filter(Boolean).join(' ')}
    error={props.error}
    autofocus={props.autofocus ?? false}
  />
)
