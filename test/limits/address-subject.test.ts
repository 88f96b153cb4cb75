import { expect, test } from 'vitest'
import { addressSubject } from '../../src/limits/index.ts'

test.for([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::a:b:c:d', 'fe80:0:0:0::/64'],
  ['0:0:0:0:0:0:0:1', '0:0:0:0::/64'],
] as const)('security 43: the subject of %s is %s', ([ip, subject]) => {
  expect(addressSubject(ip)).toBe(subject)
})
