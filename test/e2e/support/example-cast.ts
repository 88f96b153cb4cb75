/** An id or a secret of the examples: `prj_01K8…FG`, `rck_live_…`. */
const NAME = /\b[a-z]+_(?:[a-z]+_)?(?:01K8E3Z4T7Q9V6N2M5B8C1D0F[A-Z]|…)/g
const INSTANT = /\b2026-11-\d\dT[\d:.]+Z/g
/** When the examples happen (`SAMPLE_TIME` in src/core/sample.ts). */
const SAMPLE_TIME = Date.parse('2026-11-21T09:30:00.000Z')

const isSecret = (name: string): boolean => name.endsWith('…')
/** What is real in the place of a name: the same prefix. */
const realOf = (name: string): RegExp =>
  new RegExp(`\\b${name.replace(/(01K8\w+|…)$/, '')}${isSecret(name) ? '[\\w+/=.~-]+' : '[0-9A-Z]{26}'}`, 'g')

/** Who plays which part of the examples: the real ids and secrets, learnt from one answer after the other. */
export class Cast {
  readonly #players = new Map<string, string>()
  readonly #shiftMs = Date.now() - SAMPLE_TIME

  /** What an example holds, with the real ids and secrets in it, and instants as far from now as from the sample's time. */
  play<T>(example: T): T {
    const text = JSON.stringify(example)
      .replaceAll(NAME, (name) => this.player(name))
      .replaceAll(INSTANT, (at) => new Date(Date.parse(at) + this.#shiftMs).toISOString())
    return JSON.parse(text) as T
  }

  /** An example whose members are named by ids, with the real ones. */
  keyed(example: unknown): unknown {
    if (Array.isArray(example)) return example.map((one) => this.keyed(one))
    if (!isObject(example)) return example
    const entries = Object.entries(example).map(([key, value]): [string, unknown] => [
      key.replaceAll(NAME, (name) => this.player(name)),
      this.keyed(value),
    ])
    return Object.fromEntries(entries)
  }

  player(name: string): string {
    const player = this.#players.get(name)
    if (player === undefined) throw new Error(`no answer so far has shown ${name}`)
    return player
  }

  /**
   * Learns what stands in an answer in the places of names, and says where somebody else stands than before. A secret is the
   * one that was shown last.
   */
  learn(example: unknown, answer: unknown, path = ''): string[] {
    if (typeof example === 'string' && typeof answer === 'string') {
      const names = example.match(NAME) ?? []
      return names
        .flatMap((name) => this.#meet(name, answer.match(realOf(name))?.[0]))
        .map((fault) => `${path}: ${fault}`)
    }
    if (!isObject(example) || !isObject(answer)) return []
    return Object.entries(example).flatMap(([key, value]) => this.learn(value, answer[key], `${path}/${key}`))
  }

  #meet(name: string, real: string | undefined): string[] {
    if (real === undefined) return [`no ${name}`]
    const known = this.#players.get(name)
    if (!isSecret(name) && known !== undefined) return known === real ? [] : [`${name} is somebody else: ${real}`]
    this.#players.set(name, real)
    return []
  }

  /** Forgets who played a part that somebody else plays next. */
  recast(name: string): void {
    this.#players.delete(name)
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
