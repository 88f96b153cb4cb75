import type { Child, FC } from 'hono/jsx'

interface FormDialogProps {
  id: string
  /** The button that opens the dialog. */
  verb: string
  /** Of the dialog (default: the verb). */
  title?: string
  wide?: boolean
  primary?: boolean
  /** The form, with the button that closes the dialog. */
  form: (cancel: Child) => Child
}

/** A button that opens a form. It needs no script. */
export const FormDialog: FC<FormDialogProps> = ({ id, verb, title = verb, wide, primary, form }) => (
  <>
    <button class={primary ? 'button button-primary' : 'button'} type="button" popovertarget={id}>
      {verb}
    </button>
    <div
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      id={id}
      popover="auto"
      role="dialog"
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {form(
        <button class="button" type="button" popovertarget={id} popovertargetaction="hide">
          Cancel
        </button>,
      )}
    </div>
  </>
)
