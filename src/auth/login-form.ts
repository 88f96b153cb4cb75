/** Bytes of a form of somebody without a session. */
export const MAX_LOGIN_FORM_BYTES = 64 * 1024

/** The declaration that the forms of people without a session share: log in, sign up, set a new password. */
export const LOGIN_FORM = {
  method: 'post',
  tag: 'sessions',
  auth: 'none',
  scope: null,
  limit: 'login',
  audit: null,
  maxBytes: MAX_LOGIN_FORM_BYTES,
  bodyType: 'form',
} as const
