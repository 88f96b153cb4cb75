import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCards } from '../../src/memory/guard/find/card.ts'
import { findIbans } from '../../src/memory/guard/find/iban.ts'
import { findInValue } from '../../src/memory/guard/find/find-in.ts'
import { findSecrets } from '../../src/memory/guard/find/find-secrets.ts'
import { postingsOf } from '../../src/memory/keyword/postings.ts'
import { Seeded } from '../../test/support/secrets/random.ts'
import { score } from '../../test/support/secrets/score.ts'
import { ROOT } from '../../tools/wrangler.ts'

const SEED = 35
const LENGTH = 65_536
const RUNS = 60

/** Prints how well the guard tells 400 made-up secrets from 2,000 look-alikes, by kind, and what a long text costs it. */
export function printGuard(): void {
  const { byGroup, recall, precision, wrong } = score(SEED)
  console.log(`\nguard: 400 secrets, 2,000 look-alikes, seed ${SEED}`)
  for (const [group, { made, found }] of byGroup) console.log(`${group.padEnd(20)} found ${found} of ${made}`)
  console.log(
    `recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}, look-alikes taken for secrets ${wrong.length}`,
  )
  const prose = passages()
  const look = (text: string) => () => [findSecrets(text), findCards(text), findIbans(text)]
  const ofProse = best(look(prose))
  const indexing = best(() => postingsOf(prose, null, { has: () => true }))
  console.log(`64 KiB of prose: looked through in ${ofProse.toFixed(2)} ms, indexed in ${indexing.toFixed(2)} ms`)
  const named = best(() => NAMED.map(([name, value]) => findInValue(name, value)))
  console.log(`16 KiB of metadata whose names say that a secret follows: looked through in ${named.toFixed(2)} ms`)
  const costs = WORST.map((part) => ({ part, ms: best(look(repeated(part))) })).toSorted((a, b) => b.ms - a.ms)
  for (const { part, ms } of costs.slice(0, 5))
    console.log(
      `64 KiB of ${JSON.stringify(part).padEnd(34)} ${ms.toFixed(2)} ms, ${(ms / ofProse).toFixed(2)} times prose`,
    )
}

/** Texts that make a careless search slow: beginnings without an end, and runs that nearly match. */
const WORST = [
  '-----BEGIN PRIVATE KEY-----',
  'Private-Lines: 14\n',
  'LS0tLS1CRUdJTi',
  '://a:',
  'x://a:b ',
  'https://a:b@c ',
  'ghs_1_',
  'sk- ',
  'sk-aaaaaaaaaaaaaaaaaaaaaaa ',
  'eyJ.',
  'eyJhbGciOiJIUzI1NiJ9 ',
  'Bearer ',
  'Bearer aaaaaaaaaaaaaaaa ',
  'Basic YWJjZGVmZ2hpams= ',
  'a=b;Password=x;',
  'host=a password=',
  'secret_access_key ',
  'abandon ability ',
  'cat dog sun ',
  '123456789:AA ',
  'Maaaaaaaaaaaaaaaaaaaaaaaa.aaaaaa. ',
  '4111 1111 1111 1112 ',
  'DE89 3704 0044 0532 0130 01 ',
  'a',
  '0',
  ' ',
  '\\n',
  '%3D',
  new Seeded(SEED).chars(4_000),
]

/** 16 KiB of names, each with a value that is nearly what the name says. */
const NAMED = Array.from({ length: 240 }, (_, n): [string, string] => [
  `${n} aws secret access key`,
  new Seeded(n).chars(41),
])

/** Passages of the retrieval set in a row. */
function passages(): string {
  const lines = readFileSync(join(ROOT, 'bench/data/retrieval/passages.jsonl'), 'utf8').trim().split('\n')
  const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text)
  return repeated(texts.join('\n').slice(0, LENGTH))
}

const repeated = (part: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH)))

function best(task: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run += 1) {
    const from = performance.now()
    task()
    least = Math.min(least, performance.now() - from)
  }
  return least
}
