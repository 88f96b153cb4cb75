/** A JSON value as a literal of TypeScript, in one line, with names as bare as they may be. */
export function typeScriptLiteral(value: unknown): string {
  if (typeof value === 'string') return quotedOnce(value)
  if (Array.isArray(value)) return `[${value.map(typeScriptLiteral).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : quotedOnce(name)
    return `${key}: ${typeScriptLiteral(member)}`
  })
  return `{ ${members.join(', ')} }`
}

/** Single quotes, as the client's own examples have them; a text with a quote or an escape keeps the form of JSON. */
const quotedOnce = (text: string): string =>
  /['"\\\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text}'`

/** A JSON value as a literal of Python, in one line. A text of JSON is one of Python, too. */
export function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
  return `{${members.join(', ')}}`
}
