import { expect, test } from 'vitest'
import scaling from '../../docs/scaling.md?raw'
import { locationOf } from '../../src/core/http/caller-location.ts'
import { openRegions, REGIONS, regionsNear, shardRegionsText, type ShardRegions } from '../../src/core/regions.ts'

test('the text of regions is in the order of shards', () => {
  expect(
    shardRegionsText(
      new Map([
        ['02', 'oc'],
        ['00', 'weur'],
      ]),
    ),
  ).toBe('00:weur,02:oc')
})

/** docs/scaling.md. */
test.each([
  ['NA', -122.4, 'wnam'],
  ['NA', -100.1, 'wnam'],
  ['NA', -100, 'enam'],
  ['NA', -74, 'enam'],
  ['NA', null, 'enam'],
  ['SA', -46.6, 'enam'],
  ['EU', -0.1, 'weur'],
  ['EU', 14.9, 'weur'],
  ['EU', 15, 'eeur'],
  ['EU', 30.5, 'eeur'],
  ['EU', null, 'weur'],
  ['AF', 36.8, 'weur'],
  ['AS', 139.7, 'apac'],
  ['AS', 34.8, 'apac'],
  ['OC', 151.2, 'oc'],
  ['AN', 0, 'oc'],
])('from %s at %s the nearest region is %s, and all others follow', (continent, longitude, nearest) => {
  const near = regionsNear({ continent, longitude })
  expect(near?.[0]).toBe(nearest)
  expect(near?.toSorted()).toEqual(REGIONS.toSorted())
})

test('docs/scaling.md has this table', () => {
  const [, table = ''] = /\| request from .*\n\| -.*\n((?:\|.*\n)+)/.exec(scaling) ?? []
  const rows = new Map(
    table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, from = '', regions = '']) => [from, regions.replaceAll('`', '')]),
  )
  const near = (continent: string, longitude: number | null = null) => regionsNear({ continent, longitude })?.join(' ')
  expect([...rows]).toEqual([
    ['North America, west of 100° W', near('NA', -100.1)],
    ['North America, else or unknown longitude', near('NA')],
    ['South America', near('SA')],
    ['Europe, west of 15° E or unknown', near('EU')],
    ['Europe, else', near('EU', 15)],
    ['Africa', near('AF')],
    ['Asia', near('AS')],
    ['Oceania, Antarctica', near('OC')],
    ['unknown, such as Tor, and on a laptop', 'the shard with the most room decides'],
  ])
  expect(near('AN')).toBe(near('OC'))
})

test('an unknown continent is near to nothing', () => {
  for (const continent of ['T1', '', 'XX', 'toString']) expect(regionsNear({ continent, longitude: 0 })).toBeNull()
})

test('the location of a request is what Cloudflare says of it, never a header', () => {
  const at = (cf: unknown, headers = {}) =>
    locationOf(new Request('http://recollect.test', { headers, cf: cf as IncomingRequestCfProperties }))
  expect(at({ continent: 'NA', longitude: '-97.74' })).toEqual({ continent: 'NA', longitude: -97.74 })
  for (const longitude of [undefined, '', 'west', null, {}, 12])
    expect(at({ continent: 'EU', longitude })).toEqual({ continent: 'EU', longitude: null })
  expect(at({ country: 'T1' })).toBeNull()
  expect(at({ continent: 7 })).toBeNull()
  const claimed = { 'CF-IPContinent': 'OC', 'CF-IPLongitude': '151', 'X-Forwarded-For': '1.1.1.1' }
  expect(locationOf(new Request('http://recollect.test', { headers: claimed }))).toBeNull()
  expect(at({ continent: 'EU' }, claimed)).toEqual({ continent: 'EU', longitude: null })
})

test('regions that are open are told once each; the first tenant of all has that of shard 00', () => {
  const shardRegions: ShardRegions = new Map([
    ['00', 'weur'],
    ['01', 'enam'],
    ['02', 'weur'],
  ])
  expect(openRegions({ shardRegions, closedShards: [] }, false)).toEqual(['weur', 'enam'])
  expect(openRegions({ shardRegions, closedShards: ['01'] }, false)).toEqual(['weur'])
  expect(openRegions({ shardRegions, closedShards: ['00'] }, true)).toEqual(['weur'])
  expect(openRegions({ shardRegions: new Map(), closedShards: [] }, false)).toEqual([])
})
