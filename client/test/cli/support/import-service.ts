import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { Failure } from '../../../src/cli/failure.ts'
import type { ImportLine } from '../../../src/cli/convert/line.ts'
import type { ImportRequest } from '../../../src/cli/import/run-import.ts'
import type { ImportTarget } from '../../../src/cli/service.ts'

interface Call {
  body: string
  key: string
  guard?: string | undefined
}

const FOUND = { path: 'content.text', code: 'secret_redacted' as const, kind: 'github_token', start: 0, end: 40 }

/** A service that stores each line once for each key, as contract §1 says. `before` may fail a call, before or after it. */
export function fakeService(before: (call: number) => Error | null = () => null, after = before) {
  const calls: Call[] = []
  const stored: string[] = []
  const done = new Set<string>()
  const items = new Map<string, ImportLine>()
  const target: ImportTarget = {
    url: 'https://a.example',
    account: 'usr_1',
    importLines: async (body, { idempotencyKey: key, guard }) => {
      calls.push({ body, key, guard })
      const failure = before(calls.length)
      if (failure) throw failure
      const lines = body.trimEnd().split('\n')
      if (!done.has(key)) stored.push(...lines)
      for (const line of lines) keep(items, line)
      done.add(key)
      const lost = after === before ? null : after(calls.length)
      if (lost) throw lost
      const bad = lines.flatMap((line, n) => (line.includes('bad') ? [n + 1] : []))
      return {
        created: lines.length - bad.length,
        updated: 0,
        failed: bad.length,
        times_kept: true,
        results: [
          ...bad.map((line) => ({
            line,
            status: 'error' as const,
            error: { status: 422, code: 'validation_failed', detail: 'No.' },
          })),
          ...lines.flatMap((line, n) =>
            line.includes('secret') ? [{ line: n + 1, status: 'created' as const, warnings: [FOUND] }] : [],
          ),
        ],
      }
    },
    hasItem: async () => [...items.values()].some(({ content }) => Number(content.metadata?.['parts']) > 1),
    items: async function* ({ filters }) {
      for (const { content, custom_id = null } of items.values()) {
        const isOfFolder = content.metadata?.['imported_from'] === filters['metadata.imported_from']
        if (isOfFolder) yield { custom_id, content: { metadata: {}, ...content } }
      }
    },
    deleteItems: async ({ namespace, customIds, dryRun }) => {
      const found = customIds.map((id) => keyOf(namespace, id)).filter((key) => items.has(key))
      if (!dryRun) for (const key of found) items.delete(key)
      return found.length
    },
  }
  return { target, calls, stored, items, forgetKeys: () => done.clear() }
}

const keyOf = (namespace: string | null | undefined, id: string): string => `${namespace ?? 'default'} ${id}`

/** Stores a line of an item with an id. A line with `bad` in it fails. */
function keep(items: Map<string, ImportLine>, line: string): void {
  if (line.includes('bad')) return
  const item = JSON.parse(line) as ImportLine
  if (item.custom_id !== undefined) items.set(keyOf(item.context?.namespace, item.custom_id), item)
}

export async function fileOf(
  count: number,
  home: string,
  more: (n: number) => object = () => ({}),
): Promise<{ file: string; lines: string[] }> {
  const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ content: `line ${n}`, ...more(n) }))
  const file = join(home, 'items.jsonl')
  await writeFile(file, `${lines.join('\n')}\n`)
  return { file, lines }
}

export const request = (source: string, more: Partial<ImportRequest> = {}): ImportRequest => ({
  source,
  format: 'jsonl',
  project: undefined,
  restart: false,
  numbersAsText: false,
  inDoubt: null,
  ...more,
})

export const down = () => new Failure(EXIT.unavailable, 'It cannot be reached.', { code: 'connection_failed' })
