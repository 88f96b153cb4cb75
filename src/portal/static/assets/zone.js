// Days in forms are those of this browser. Days that the page already has stay in the zone that their labels name.

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

for (const field of document.querySelectorAll('[data-zone-field]')) {
  const { form } = field
  const hasDays = [...form.querySelectorAll('input[type="date"]')].some(({ defaultValue }) => defaultValue !== '')
  if (hasDays && field.value !== timeZone) continue
  field.value = timeZone
  for (const note of form.querySelectorAll('[data-day-zone]')) note.remove()
}
