import { expect, test } from 'vitest'
import {
  agentProject,
  boundTo,
  calledResource,
  namedResource,
  narrowedResource,
  opensResource,
  sendAs,
} from '../../../src/auth/oauth/resources.ts'

const BASE = 'https://recollect.test'
const MCP = `${BASE}/mcp`
const PROJECT = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'
const OTHER = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FH'

test.each([
  [[], null],
  [[BASE], null],
  [[`${BASE}/`], null],
  [[MCP], MCP],
  [[`${MCP}/`], MCP],
  [[`${MCP}/${PROJECT}`], `${MCP}/${PROJECT}`],
  [[`${MCP}/${PROJECT}/`], `${MCP}/${PROJECT}`],
  [[MCP, MCP], MCP],
  [['HTTPS://Recollect.TEST/mcp'], MCP],
  [['https://RECOLLECT.test'], null],
  [[`${MCP}/${PROJECT}`, MCP], MCP],
  [[MCP, `${MCP}/${PROJECT}`, BASE], null],
  [[`${MCP}/${PROJECT}`, `${MCP}/${OTHER}`], undefined],
  [[MCP, 'https://evil.test'], undefined],
  [['http://recollect.test/mcp'], undefined],
  [['https://recollect.test:8443/mcp'], undefined],
  [['https://recollect.test.evil.test/mcp'], undefined],
  [['https://recollect.test@evil.test/mcp'], undefined],
  [[`${MCP}#part`], undefined],
  [[`${MCP}?x=1`], undefined],
  [[`${MCP}?tools=search`], MCP],
  [[`${MCP}/${PROJECT}?tools=search`], `${MCP}/${PROJECT}`],
  [[`${MCP}?tools=all`], undefined],
  [[`${BASE}?tools=search`], undefined],
  [[`${MCP}//`], undefined],
  [[`${BASE}/MCP`], undefined],
  [[`${BASE}/api`], undefined],
  [[`${MCP}/prj_made-up`], undefined],
  [[`${MCP}/../api`], undefined],
  [['/mcp'], undefined],
])('contract §2: the resources %j name %j', (uris, named) => {
  expect(namedResource(uris, BASE)).toBe(named)
})

test.each([
  [null, null, true],
  [null, MCP, true],
  [null, `${MCP}/${PROJECT}`, true],
  [MCP, MCP, true],
  [MCP, `${MCP}/${PROJECT}`, true],
  [MCP, null, false],
  [`${MCP}/${PROJECT}`, `${MCP}/${PROJECT}`, true],
  [`${MCP}/${PROJECT}`, `${MCP}/${OTHER}`, false],
  [`${MCP}/${PROJECT}`, MCP, false],
  [`${MCP}/${PROJECT}`, null, false],
  ['https://other.test/mcp', MCP, false],
])('a token for %j opens %j: %s', (bound, called, opens) => {
  expect(opensResource(bound, called)).toBe(opens)
})

test('a token request may narrow the resource of its grant, and never widen it', () => {
  expect(narrowedResource(MCP, [], BASE)).toBe(MCP)
  expect(narrowedResource(null, [MCP], BASE)).toBe(MCP)
  expect(narrowedResource(MCP, [`${MCP}/${PROJECT}`], BASE)).toBe(`${MCP}/${PROJECT}`)
  expect(narrowedResource(MCP, [BASE], BASE)).toBeUndefined()
  expect(narrowedResource(`${MCP}/${PROJECT}`, [MCP], BASE)).toBeUndefined()
  expect(narrowedResource(null, ['https://evil.test'], BASE)).toBeUndefined()
})

test('a grant from before agent paths is bound to none, whichever path of the API it named', () => {
  const stored = [null, BASE, `${BASE}/`, `${BASE}/api?x=1`, 'not a URL', MCP, `${MCP}/`, `${MCP}/${PROJECT}`]
  expect(stored.map(boundTo)).toEqual([null, null, null, null, null, MCP, MCP, `${MCP}/${PROJECT}`])
})

test('the project of an agent path is a well-formed id, with or without a final slash', () => {
  const paths = ['/mcp', '/mcp/', `/mcp/${PROJECT}`, `/mcp/${PROJECT}/`, '/mcp//', '/mcp/prj_1', '/mcpx', '/api/mcp']
  expect(paths.map(agentProject)).toEqual([null, null, PROJECT, PROJECT, ...Array(4).fill(undefined)])
})

test('a request that an agent path sends on counts as a call of that path; no other request does', () => {
  const called = calledResource(new Request(`${BASE}/mcp/${PROJECT}`), BASE)
  const inner = sendAs(new Request(`${BASE}/api/memory/search`, { method: 'POST' }), called)
  expect(calledResource(inner, BASE).uri).toBe(`${MCP}/${PROJECT}`)
  expect(calledResource(new Request(inner), BASE).uri).toBeNull()
})
