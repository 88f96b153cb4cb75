/** Passwords that stand for a real one: names of a password, variables, marks and the defaults of databases. */
const NAMES =
  /^(?:(?:my|your|the|db|database|new|old|some|app|test|user|root|admin)?[-_.]?(?:super|my|secret|random)?[-_.]?(?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[-_]?key|key)(?:[-_]?here|123)?|user(?:name)?|root|admin|guest|postgres|mysql|mongo|redis|test|example|changeme|change[-_]me|placeholder|redacted|hidden|removed|none|null|x-oauth-basic|x-token-auth|oauth2|foo|bar|baz|abc|abc123|123456?|12345678)$/i
const MARKS =
  /^(?:[*x•.…#?]+|<.*|\[.*\]|\{.*|\$[A-Za-z_]\w*|\$[({].*|%[sdv({].*|%\w+%|.*\$\{.*|.*\{\{.*|.*\.\.\.|.*…)$/i

/** A shorter one protects nothing. */
export const MIN_PASSWORD = 3

/** Whether a password was meant as one: none of a user's own name, of a placeholder, of a variable. */
export const isPassword = (password: string, user = ''): boolean =>
  password.length >= MIN_PASSWORD && password !== user && !NAMES.test(password) && !MARKS.test(password)
