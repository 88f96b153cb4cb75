import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPrivate, writePrivate } from '../../../src/cli/config/private-file.ts'
import { testIo } from '../support/io.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('security 71: the file and its folder are their owner’s alone, also where a wider file was', async () => {
  const path = join(testIo().home, 'config/recollect/credentials.json')
  await writePrivate(path, 'one')
  expect(await modeOf(path)).toBe('600')
  expect(await modeOf(dirname(path))).toBe('700')
  await chmod(path, 0o644)
  await writePrivate(path, 'two')
  expect(await modeOf(path)).toBe('600')
  await chmod(path, 0o666)
  expect(await readPrivate(path)).toBe('two')
  expect(await modeOf(path)).toBe('600')
})

test('a missing file is null, and a failed write leaves the old file and nothing else', async () => {
  const { home } = testIo()
  const path = join(home, 'credentials.json')
  expect(await readPrivate(path)).toBeNull()
  await writePrivate(path, 'old')
  await mkdir(join(home, 'folder'))
  await writeFile(join(home, 'folder/inside'), '')
  await expect(writePrivate(join(home, 'folder'), 'new')).rejects.toThrow('EISDIR')
  expect(await readFile(path, 'utf8')).toBe('old')
  expect((await readdir(home)).sort()).toEqual(['credentials.json', 'folder'])
})

test('security 71: what a killed process had begun to write goes with the next write, and nobody else’s file does', async () => {
  const { home } = testIo()
  const path = join(home, 'credentials.json')
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const kept = [`credentials.json.${process.pid}.1`, `credentials.json.${ended}.backup`, `other.json.${ended}.1`]
  for (const name of [...kept, `credentials.json.${ended}.1`]) await writeFile(join(home, name), 'secret')
  await writePrivate(path, 'new')
  expect((await readdir(home)).sort()).toEqual(['credentials.json', ...kept].sort())
})
