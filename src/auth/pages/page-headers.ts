/** Headers of every page: no inline code, no other origin, no frame, no cache (security 11, 40, 41). */
export function pageHeaders(options: { formAction?: readonly string[] } = {}): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      // Chrome checks the redirects after a form as well, so that a page whose form leads elsewhere names the origin.
      `form-action ${["'self'", ...(options.formAction ?? [])].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // With `no-referrer`, a browser sends forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  }
}
