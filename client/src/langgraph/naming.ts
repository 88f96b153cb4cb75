/** The name of a namespace, and what an item in it has to say of its path. */
export interface NamespaceName {
  namespace: string
  /** The hash of each beginning of the path that is too long to stand in every name below it, by its number of labels. */
  hashes: Record<string, string>
  /** The name does not tell the path. */
  hashed: boolean
}

/** The prefix and the hash that find the items of a path and of all paths below it. */
export interface PathReach {
  /** null: all namespaces. */
  prefix: string | null
  /** A hash of `NamespaceName` that the items must have; null: the prefix tells all. */
  hash: { labels: number; value: string } | null
}

/** What distinguishes one way to name paths from another. */
interface Rules {
  escape: (label: string) => string
  /** Finds the escapes and the characters of an escaped label. */
  parts: RegExp
  /** Labels that together have at most so many characters stand in every name below them. */
  maxKept: number
  hashOf: (name: string) => Promise<string>
  /** A name that is too long becomes one that fits. `kept`: its first labels. */
  fit: (name: string, kept: readonly string[]) => Promise<string>
  isHashed: (name: string) => boolean
}

/** One way to name paths: labels are escaped and joined by `:`, and a name that is too long ends with a hash. */
export class Naming {
  readonly #rules: Rules

  constructor(rules: Rules) {
    this.#rules = rules
  }

  async nameOf(path: readonly string[]): Promise<NamespaceName> {
    const labels = path.map(this.#rules.escape)
    const kept = this.#keptOf(labels)
    const lengths = labels.map((_, at) => at + 1).filter((length) => length > kept.length)
    const hashes = await Promise.all(
      lengths.map(async (length) => [`d${length}`, await this.#hashOf(labels, length)] as const),
    )
    const whole = labels.join(':')
    const namespace = await this.#rules.fit(whole, kept)
    return { namespace, hashes: Object.fromEntries(hashes), hashed: namespace !== whole }
  }

  /** The path of a name; null: it is hashed, or none of this naming. */
  pathOf(name: string): string[] | null {
    const labels = name.split(':')
    const path = labels.map((label) => this.#unescape(label))
    return path.every((label) => label !== null) && path.map(this.#rules.escape).join(':') === name ? path : null
  }

  isHashed(name: string): boolean {
    return this.#rules.isHashed(name)
  }

  async reachOf(path: readonly string[]): Promise<PathReach> {
    const labels = path.map(this.#rules.escape)
    const kept = this.#keptOf(labels)
    const prefix = kept.length === 0 ? null : kept.join(':')
    if (kept.length === labels.length) return { prefix, hash: null }
    return { prefix, hash: { labels: labels.length, value: await this.#hashOf(labels, labels.length) } }
  }

  #keptOf(labels: readonly string[]): string[] {
    let length = -1
    return labels.filter((label) => (length += label.length + 1) <= this.#rules.maxKept)
  }

  #hashOf(labels: readonly string[], length: number): Promise<string> {
    return this.#rules.hashOf(labels.slice(0, length).join(':'))
  }

  #unescape(label: string): string | null {
    const parts = label.match(this.#rules.parts) ?? []
    if (label === '' || parts.join('') !== label) return null
    const bytes = parts.map((part) => (part.length === 1 ? part.charCodeAt(0) : Number.parseInt(part.slice(1), 16)))
    return new TextDecoder().decode(new Uint8Array(bytes))
  }
}
