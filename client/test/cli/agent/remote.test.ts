import { expect, test } from 'vitest'
import { remoteName } from '../../../src/cli/agent/remote.ts'

test.each([
  'https://github.com/acme/api',
  'https://github.com/acme/api.git',
  'https://github.com/acme/api.git/',
  'https://GitHub.com:8443/acme/api.git',
  'https://ada@github.com/acme/api.git',
  'https://ada:ghp_secret@github.com/acme/api.git',
  'https://x-access-token:ghp_secret@github.com/acme/api.git?token=ghp_secret#ghp_secret',
  'http://github.com/acme/api',
  'ssh://git@github.com/acme/api.git',
  'ssh://git@GITHUB.com:22/acme/api.git',
  'git+ssh://git@github.com/acme/api',
  'git://github.com//acme/./api.git',
  'git@github.com:acme/api.git',
  'github.com:acme/api',
  'git@GitHub.com:/acme/api.git',
  'ada:ghp_secret@github.com:acme/api.git?token=ghp_secret',
  '  git@github.com:acme/api.git  ',
])('%s is github.com/acme/api', (address) => {
  expect(remoteName(address)).toBe('github.com/acme/api')
})

test('groups, cases and escapes of a path stay', () => {
  expect(remoteName('https://gitlab.com/Group/Sub/My%20Api.git')).toBe('gitlab.com/Group/Sub/My Api')
  expect(remoteName('https://gitlab.com/group/%zz.git')).toBe('gitlab.com/group/%zz')
})

test.each([
  '/srv/git/api.git',
  '../api',
  './a:b',
  'file:///srv/git/api.git',
  'C:\\work\\api',
  'C:/work/api',
  'https://github.com/',
  'https://',
  'ext::sh -c whoami',
  '',
])('%j names no host and repository', (address) => {
  expect(remoteName(address)).toBeNull()
})
