import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Words } from '../../src/core/embedding.ts'
import { ROOT } from '../wrangler.ts'

let words: Set<string> | undefined

/** The vocabulary of the Worker, read from its file: a piece a line, `##` before those that continue a word. */
export function vocabulary(): Words {
  const lines = () => readFileSync(join(ROOT, 'src/backends/embedded/vocab.txt'), 'utf8').split('\n')
  return (words ??= new Set(lines().filter((line) => !line.startsWith('##'))))
}
