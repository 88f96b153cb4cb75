import type { Result } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * The tree of routes, which remembers what it found for a path without parameters, as most requests have. The faster router
 * of Hono takes no route beside a parameter (`/portal/keys/new` and `/portal/keys/:id`).
 */
export class RememberedRoutes<T> extends TrieRouter<T> {
  readonly #plain = new Set<string>()
  readonly #found = new Map<string, Result<T>>()

  override add(method: string, path: string, handler: T): void {
    if (!/[:*]/.test(path)) this.#plain.add(path)
    this.#found.clear()
    super.add(method, path, handler)
  }

  override match(method: string, path: string): Result<T> {
    if (!this.#plain.has(path)) return super.match(method, path)
    const place = `${method} ${path}`
    let found = this.#found.get(place)
    if (!found) this.#found.set(place, (found = super.match(method, path)))
    return found
  }
}
