import type { Child, FC } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { PostForm } from './fields.tsx'

interface AskProps {
  ctx: PageContext
  action: string
  /** The text of both buttons: the one that asks, and the one that does it. */
  verb: string
  /** What the verb is about: a screen reader that reads the first button alone says it too. */
  about?: Child
  /** Default: whether to do this to what it is about. */
  question?: Child
  small?: boolean
  /** It erases nothing and can be had again: neither button is red. */
  routine?: boolean
  /** Fields that the form sends. */
  fields?: Readonly<Record<string, string>>
  /** The form creates something: sent twice it creates once. */
  creates?: boolean
  /** What follows. */
  children?: Child
}

/** A button for an act that cannot be taken back. It asks first and says what follows; this needs no script. */
export const Ask: FC<AskProps> = (props) => {
  const { ctx, action, verb, about, question, small, routine, fields = {}, creates = false, children } = props
  const id = `ask${action.replaceAll(/\W+/g, '-')}`
  return (
    <div class="ask">
      <button
        class={`button${routine ? '' : ' button-danger'}${small ? ' button-small' : ''}`}
        type="button"
        popovertarget={id}
      >
        {verb}
        {about && <span class="sr-only"> {about}</span>}
      </button>
      <div class="dialog" id={id} popover="auto" role="dialog" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>
          {question ?? (
            <>
              {verb} {about}?
            </>
          )}
        </h2>
        <div class="dialog-text">{children}</div>
        <PostForm ctx={ctx} action={action} class="row row-end" creates={creates}>
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button class="button" type="button" popovertarget={id} popovertargetaction="hide" autofocus>
            Cancel
          </button>
          <button class={routine ? 'button button-primary' : 'button button-solid-danger'} type="submit">
            {verb}
          </button>
        </PostForm>
      </div>
    </div>
  )
}
