import { createContext, useContext, type FC } from 'hono/jsx'
import type { AppError } from '../../core/errors.ts'
import { Notice } from './elements.tsx'

/** The messages that fields of the form show. */
export const AtFields = createContext<Set<string> | null>(null)

interface FaultOf {
  name: string
  /** What the API calls the field, where the form names it differently. */
  errorPath?: string | undefined
  label: string
  message: string | undefined
}

/** A field's error in the words of the form: the API names a field by its path, and the form by its label. */
export function useFieldError({ name, errorPath, label, message }: FaultOf): string | undefined {
  const atFields = useContext(AtFields)
  if (message === undefined) return undefined
  atFields?.add(message)
  const [, path = '', fault = message] = /^([a-z_]+(?:\.\w+)*) ((?:must|is) .*)$/s.exec(message) ?? []
  const names = path.split('.')
  const own = [errorPath, name].find((one) => one !== undefined && names.includes(one))
  if (own === undefined) return message
  // What the fault is about in a field of several values, such as a key of its JSON.
  const inside = names.slice(names.lastIndexOf(own) + 1).filter(isName)
  const [words = ''] = label.split(',')
  return inside.length === 0 ? `${words} ${fault}` : `${words}: ${inside.join('.')} ${fault}`
}

export const faultOf = ({
  name,
  errorPath,
  error,
}: {
  name: string
  errorPath?: string
  error?: string | undefined
}) => ({
  name,
  errorPath,
  message: error,
})

const isName = (segment: string): boolean => !/^\d+$/.test(segment)

/**
 * Why the form was refused, unless its fields say so. It comes last, when they are known, and stands first. It has the focus where
 * no field has an error.
 */
export const Refusal: FC<{ error: AppError }> = ({ error }) => {
  const atFields = useContext(AtFields)
  const { errors = [], headers } = error
  if (errors.length > 0 && errors.every(({ message }) => atFields?.has(message))) return null
  return (
    <div class="form-refusal" tabindex={-1} autofocus={atFields?.size === 0}>
      <Notice tone="danger">
        {error.detail}
        {headers['Retry-After'] ? ` Try again in ${headers['Retry-After']} s.` : ''}
      </Notice>
    </div>
  )
}
