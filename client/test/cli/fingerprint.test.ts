import { expect, test } from 'vitest'
import { fingerprint } from '../../src/cli/fingerprint.ts'

test('a fingerprint never changes: files of earlier versions are named by it', () => {
  expect(fingerprint('repository ä')).toBe('978c7f527f76b4dc7af5812a877a4cff')
})
