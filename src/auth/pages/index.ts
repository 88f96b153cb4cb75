export { clearCookie, readCookie, SESSION_COOKIE, sessionCookie, setCookie } from './cookie.ts'
export { CSRF_FIELD, csrfToken, requireOwnForm, safeReturn } from './csrf.ts'
export { Brand, CardPage, Document, page, pageHeaders, type Theme } from './document.tsx'
export { Visible, visibleParts } from './visible.tsx'
