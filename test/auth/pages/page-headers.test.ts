import { expect, test } from 'vitest'
import { pageHeaders } from '../../../src/auth/pages/page-headers.ts'

test('a page whose form leads to another origin names it', () => {
  const policy = pageHeaders({ formAction: ['https://client.example'] })['Content-Security-Policy']
  expect(policy).toContain("form-action 'self' https://client.example;")
})
