import lines from '../../../src/backends/embedded/vectors.jsonl?raw'

interface Sample {
  text: string
  ids: number[]
  vector: number[]
}

/** What the maker of the model computed for 40 texts. */
export const samples = lines
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample)
