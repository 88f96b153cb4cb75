import { expect, test } from 'vitest'
import scaling from '../../docs/scaling.md?raw'
import { placeOf } from '../../src/core/http/place.ts'
import { openRegions, REGIONS, regionsNear, shardRegionsOf, shardRegionsText } from '../../src/core/regions.ts'

const SHARDS = ['00', '01', '02']

test.each([
  ['', []],
  ['00:weur', [['00', 'weur']]],
  [
    ' 01:enam, 00:weur\n',
    [
      ['01', 'enam'],
      ['00', 'weur'],
    ],
  ],
])('SHARD_REGIONS %j', (text, regions) => {
  expect(shardRegionsOf(text, SHARDS)).toEqual({ regions: new Map(regions as [string, 'weur'][]), faults: [] })
})

test.each([
  ['weur', 'contains "weur", which is not an entry such as 00:weur'],
  ['0:weur', 'contains "0:weur", which is not an entry such as 00:weur'],
  ['00:weur;01:enam', 'contains "00:weur;01:enam", which is not an entry such as 00:weur'],
  ['00=weur', 'contains "00=weur", which is not an entry such as 00:weur'],
  ['00:WEUR', 'contains "00:WEUR", which is not an entry such as 00:weur'],
  ['00:sam', 'gives shard 00 the region "sam", which is not one of wnam, enam, weur, eeur, apac, oc'],
  ['00:constructor', 'gives shard 00 the region "constructor", which is not one of wnam, enam, weur, eeur, apac, oc'],
  ['00:weur,03:enam', 'names "03", which is not a shard of this deployment'],
  ['00:weur,00:enam', 'names shard 00 twice'],
])('SHARD_REGIONS %j has one fault, and no shard a region', (text, fault) => {
  expect(shardRegionsOf(text, SHARDS)).toEqual({ regions: new Map(), faults: [`SHARD_REGIONS ${fault}`] })
})

test('the text of regions is in the order of shards, and reads the same again', () => {
  const { regions } = shardRegionsOf('02:oc,00:weur', SHARDS)
  expect(shardRegionsText(regions)).toBe('00:weur,02:oc')
  expect(shardRegionsOf(shardRegionsText(regions), SHARDS).regions).toEqual(regions)
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

test('the place of a request is what Cloudflare says of it, never a header', () => {
  const at = (cf: unknown, headers = {}) =>
    placeOf(new Request('http://recollect.test', { headers, cf: cf as IncomingRequestCfProperties }))
  expect(at({ continent: 'NA', longitude: '-97.74' })).toEqual({ continent: 'NA', longitude: -97.74 })
  for (const longitude of [undefined, '', 'west', null, {}, 12])
    expect(at({ continent: 'EU', longitude })).toEqual({ continent: 'EU', longitude: null })
  expect(at({ country: 'T1' })).toBeNull()
  expect(at({ continent: 7 })).toBeNull()
  const claimed = { 'CF-IPContinent': 'OC', 'CF-IPLongitude': '151', 'X-Forwarded-For': '1.1.1.1' }
  expect(placeOf(new Request('http://recollect.test', { headers: claimed }))).toBeNull()
  expect(at({ continent: 'EU' }, claimed)).toEqual({ continent: 'EU', longitude: null })
})

test('regions that are open are told once each; the first tenant of all has that of shard 00', () => {
  const { regions: shardRegions } = shardRegionsOf('00:weur,01:enam,02:weur', SHARDS)
  expect(openRegions({ shardRegions, closedShards: [] }, false)).toEqual(['weur', 'enam'])
  expect(openRegions({ shardRegions, closedShards: ['01'] }, false)).toEqual(['weur'])
  expect(openRegions({ shardRegions, closedShards: ['00'] }, true)).toEqual(['weur'])
  expect(openRegions({ shardRegions: new Map(), closedShards: [] }, false)).toEqual([])
})
