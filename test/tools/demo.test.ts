import { expect, test } from 'vitest'
import { greeting } from '../../tools/demo.ts'

const OLD = { isOld: true, passwordFile: '/nowhere/demo-password.txt' }
const pasted = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('  '))

test('a later start prints the one line that a terminal needs', () => {
  const text = greeting('http://localhost:9000', { ...OLD, key: 'rck_test_x' })
  expect(pasted(text)).toEqual(['  export BASE=http://localhost:9000 KEY=rck_test_x'])
})

test('data without a demo key leads to the portal', () => {
  const text = greeting('http://localhost:9000', { ...OLD, key: null })
  expect(pasted(text)).toEqual([])
  expect(text).toContain('Create an API key in the portal.')
})
