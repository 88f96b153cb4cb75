// ---- days ----

// They are those of this browser. Days that the page already has stay in the zone that their labels name.

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

for (const field of document.querySelectorAll('[data-zone-field]')) {
  const { form } = field
  const hasDays = [...form.querySelectorAll('input[type="date"]')].some(({ defaultValue }) => defaultValue !== '')
  if (hasDays && field.value !== timeZone) continue
  field.value = timeZone
  for (const note of form.querySelectorAll('[data-day-zone]')) note.remove()
}

// ---- dialogs ----

// The Tab key leaves a popover and does not close it. What has the focus must not be behind it.
document.addEventListener('keyup', ({ key }) => {
  if (key !== 'Tab') return
  for (const dialog of document.querySelectorAll('.dialog:popover-open'))
    if (!dialog.contains(document.activeElement)) dialog.hidePopover()
})
