const MAX_REMEMBERED = 10_000

/** Projects that an isolate remembers for a time. Past 10,000 it drops the oldest. */
export class RecentProjects {
  readonly #ids = new Set<string>()

  has(projectId: string): boolean {
    return this.#ids.has(projectId)
  }

  add(projectId: string): void {
    this.#ids.add(projectId)
    const [oldest] = this.#ids
    if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined) this.#ids.delete(oldest)
  }

  delete(projectId: string): void {
    this.#ids.delete(projectId)
  }
}
