import { findSecrets } from '../../../src/memory/guard/find/find-secrets.ts'
import { makeLookAlike } from './look-alikes.ts'
import { Seeded } from './random.ts'
import { makeSecret, type Secret } from './secrets.ts'
import { around } from './settings.ts'

interface Score {
  made: number
  found: number
}
interface Scores {
  byGroup: Map<Secret['group'], Score>
  recall: number
  precision: number
  /** Of those that were not found, and of look-alikes that were. */
  missed: string[]
  wrong: string[]
}

const redacted = (text: string): string =>
  findSecrets(text).reduceRight((left, { start, end }) => `${left.slice(0, start)}[secret]${left.slice(end)}`, text)

/** How well the guard tells secrets from look-alikes, both made from a seed and put where people leave them. */
export function score(seed: number, secrets = 400, lookAlikes = 2_000): Scores {
  const r = new Seeded(seed)
  const byGroup = new Map<Secret['group'], Score>()
  const missed: string[] = []
  const wrong: string[] = []
  for (let number = 0; number < secrets; number += 1) {
    const { group, secret, written } = makeSecret(r, number)
    const text = around(r, written)
    const sums = byGroup.get(group) ?? { made: 0, found: 0 }
    sums.made += 1
    const inText = text.includes(secret) ? secret : JSON.stringify(secret).slice(1, -1)
    if (redacted(text).includes(inText) || findSecrets(text).length === 0) missed.push(text)
    else sums.found += 1
    byGroup.set(group, sums)
  }
  for (let number = 0; number < lookAlikes; number += 1) {
    const text = around(r, makeLookAlike(r, number))
    if (findSecrets(text).length > 0) wrong.push(text)
  }
  const found = secrets - missed.length
  return { byGroup, recall: found / secrets, precision: found / (found + wrong.length), missed, wrong }
}
