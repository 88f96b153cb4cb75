import { expect, test } from 'vitest'
import { shardRegionsText } from '../../src/core/regions.ts'
import { SETTABLE } from '../../src/core/settable-limits.ts'
import * as parsers from '../../src/settings/parsers.ts'

const deployment = { local: false, shards: ['00', '01', '02'] }
const local = { ...deployment, local: true }

test('a whole number is one of digits alone, within its bounds', () => {
  const parse = parsers.wholeNumber(1, 1_000)
  for (const text of ['1', '010', '1000']) expect(parse(text, deployment)).toEqual({ value: Number(text) })
  for (const text of ['0', '1001', 'ten', '-1', '1.5', '1e2', ' 1', '1_000', '9'.repeat(400), 'NaN', 'Infinity'])
    expect(parse(text, deployment), text).toEqual({ fault: 'must be a whole number from 1 to 1000' })
})

test('a word is one of its words, in lower case', () => {
  const parse = parsers.oneOf(['open', 'closed'])
  expect(parse('open', deployment)).toEqual({ value: 'open' })
  for (const text of ['Open', 'open ', 'no']) expect(parse(text, deployment)).toHaveProperty('fault')
})

test('a flag is true or false, and nothing else', () => {
  expect(['true', 'false'].map((text) => parsers.flag(text, deployment))).toEqual([{ value: true }, { value: false }])
  for (const text of ['1', 'yes', 'TRUE', 'on']) expect(parsers.flag(text, deployment)).toHaveProperty('fault')
})

test('an origin has a scheme and a host alone; http is one locally', () => {
  for (const text of ['https://a.example', 'https://a.example/', 'https://a.example:8443'])
    expect(parsers.origin(text, deployment)).toEqual({ value: text.replace(/\/$/, '') })
  expect(parsers.origin('http://localhost:8787', local)).toEqual({ value: 'http://localhost:8787' })
  for (const text of ['http://a.example', 'https://a.example/path', 'https://user@a.example', 'a.example', 'https://'])
    expect(parsers.origin(text, deployment), text).toHaveProperty('fault')
})

test('host names come in any case, separated by commas or spaces, and are names alone', () => {
  expect(parsers.hostNames('API.example.com, recollect.example.workers.dev', deployment)).toEqual({
    value: ['api.example.com', 'recollect.example.workers.dev'],
  })
  expect(parsers.hostNames(' ', deployment)).toEqual({ value: [] })
  for (const text of [
    'a.example,https://b.example',
    'a.example b.example/x',
    'a.example,b.example:8443',
    'a.example *',
  ])
    expect(parsers.hostNames(text, deployment), text).toEqual({
      fault: 'must be host names such as memory.example.com, and entry 2 is not one',
    })
})

test('an address is an http or https one', () => {
  for (const text of ['http://localhost:11434/v1/embeddings', 'https://models.example/v1/rerank'])
    expect(parsers.httpUrl(text, deployment)).toEqual({ value: text })
  for (const text of ['localhost:11434', 'ftp://a.example', 'embeddings'])
    expect(parsers.httpUrl(text, deployment)).toHaveProperty('fault')
})

test('a key that goes out in a header has no space and no line end', () => {
  expect(parsers.bearerKey('sk-1/2+3==', deployment)).toEqual({ value: 'sk-1/2+3==' })
  for (const text of ['sk 1', 'sk\n', 'schlüssel']) expect(parsers.bearerKey(text, deployment)).toHaveProperty('fault')
})

test('a token of /metrics has 32 characters of a Bearer credential', () => {
  const token = 'a-token_of.an~operator+for/scrapes=='
  expect(parsers.metricsToken(token, deployment)).toEqual({ value: token })
  for (const text of ['a'.repeat(31), 'a'.repeat(31) + ' ', 'ä'.repeat(40)])
    expect(parsers.metricsToken(text, deployment)).toHaveProperty('fault')
})

test('names of shards are those of the deployment', () => {
  expect(parsers.shardNames('00, 02', deployment)).toEqual({ value: ['00', '02'] })
  expect(parsers.shardNames(' ', deployment)).toEqual({ value: [] })
  expect(parsers.shardNames('00,97', deployment)).toEqual({
    fault: 'must name shards of this deployment, and entry 2 is not one of 00, 01, 02',
  })
})

test.each<[string, [string, string][]]>([
  ['', []],
  ['00:weur', [['00', 'weur']]],
  [
    ' 01:enam, 00:weur\n',
    [
      ['01', 'enam'],
      ['00', 'weur'],
    ],
  ],
])('regions of shards: %j', (text, regions) => {
  expect(parsers.shardRegions(text, deployment)).toEqual({ value: new Map(regions) })
})

test.each([
  ['weur', 1, 'is not one'],
  ['0:weur', 1, 'is not one'],
  ['00:weur;01:enam', 1, 'is not one'],
  ['00=weur', 1, 'is not one'],
  ['00:WEUR', 1, 'is not one'],
  ['00:sam', 1, 'does not have one of the regions wnam, enam, weur, eeur, apac, oc'],
  ['00:constructor', 1, 'does not have one of the regions wnam, enam, weur, eeur, apac, oc'],
  ['00:weur,03:enam', 2, 'does not name a shard of this deployment'],
  ['00:weur,00:enam', 2, 'names shard 00 again'],
])('regions of shards: %j is a fault of entry %i', (text, entry, what) => {
  expect(parsers.shardRegions(text, deployment)).toEqual({
    fault: `must be entries such as 00:weur, and entry ${entry} ${what}`,
  })
})

test('the text of regions reads the same again', () => {
  const parsed = parsers.shardRegions('02:oc,00:weur', deployment)
  const regions = 'value' in parsed ? parsed.value : new Map()
  expect(parsers.shardRegions(shardRegionsText(regions), deployment)).toEqual({ value: regions })
})

test('limits are set by name', () => {
  expect(parsers.permits(' memory.search=50, api-key=1000\nread=1 ', deployment)).toEqual({
    value: { 'memory.search': 50, 'api-key': 1_000, read: 1 },
  })
  expect(parsers.permits('', deployment)).toEqual({ value: {} })
})

test.each([
  ['memory.serch=5', 'must name limits, and entry 2 is not one: did you mean memory.search?'],
  ['login=5', `must name limits, and entry 2 is not one of ${SETTABLE.join(', ')}`],
  ['read', 'must set read to a whole number from 1 to 1000'],
  ['read=0', 'must set read to a whole number from 1 to 1000'],
  ['read=1e2', 'must set read to a whole number from 1 to 1000'],
  ['read=1001', 'must set read to a whole number from 1 to 1000'],
  ['read=5=6', 'must set read to a whole number from 1 to 1000'],
  ['events.publish=60001', 'must set events.publish to a whole number from 1 to 60000'],
  ['read=5,read=6', 'must set read once'],
])('limits: %j is a fault', (text, fault) => {
  expect(parsers.permits(`write=9,${text}`, deployment)).toEqual({ fault })
})
