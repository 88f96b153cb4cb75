import { expect, test } from 'vitest'
import { checkInstallLines, faultsOf } from '../../tools/install-lines.ts'
import { ROOT } from '../../tools/wrangler.ts'

test('no line that is shown installs or runs what a stranger publishes', () => {
  expect(checkInstallLines(ROOT)).toEqual([])
})

test.each([
  'npm install recollect',
  'npm install --global recollect',
  'npm i recollect && node app.js',
  'pip install recollect',
  'pip install "recollect[events]"',
  'python -m pip install --upgrade recollect',
  'uv add recollect',
  'npm install ai recollect',
  'npm install --save-dev recollect',
  'deno add npm:recollect',
  'pipx install recollect',
  'pip install -i https://memory.example recollect-client',
  'PIP_EXTRA_INDEX_URL=https://memory.example pip install -r requirements.txt',
  'npm exec recollect login',
  'pip install --extra-index-url https://memory.example/client recollect-client',
  'pip install -r requirements.txt --index-url=https://memory.example',
  'npx recollect login',
  'npx --yes recollect login',
])('%s is a fault', (line) => {
  expect(faultsOf(line)).toHaveLength(1)
})

test.each([
  'npm install --allow-remote=root https://memory.example/client/recollect-0.2.0.tgz',
  'npm install ../recollect/dist/recollect-0.1.0.tgz',
  'pip install https://memory.example/client/recollect-0.2.0-py3-none-any.whl',
  'pip install "recollect[events] @ https://memory.example/client/recollect-0.2.0-py3-none-any.whl"',
  'pip install "./client/python[events]"',
  'npm install --global ./dist/client',
  'npm install --save-exact NAME --workspace recollect',
  'npm install recollect-adapter',
  'npm install ai && recollect login',
  'After `npm install`, recollect is there.',
  'recollect login',
])('%s is none', (line) => {
  expect(faultsOf(line)).toEqual([])
})

test('npx recollect runs what a line before it installed', () => {
  const install = 'npm install --allow-remote=root https://memory.example/client/recollect-0.2.0.tgz'
  expect(faultsOf(`${install}\nnpx recollect login`)).toEqual([])
  expect(faultsOf(`npx recollect login\n${install}`)).toHaveLength(1)
})
