import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { EXIT } from '../../src/cli/exit-codes.ts'
import { run } from '../../src/cli/run.ts'
import { testIo } from './support/io.ts'

const COUNTS = { items: 4, retired: 2, versions: 1, vectors: 5, events: 9, deliveries: 0 }
const ID = 'ers_01K8E3Z4T7Q9V6N2M5B8C1D0FG'

/** A service whose erasure ends at the third look. */
async function service() {
  const bodies: { namespace: string; dry_run?: boolean }[] = []
  let looks = 0
  const erasure = (status: string) => ({
    id: ID,
    status,
    counts: COUNTS,
    covers: { project_ids: ['prj_1', 'prj_2'], whole_tenant: true },
    digest: 'abcd',
    kept: { key_ids: ['key_1'], subscription_ids: [] },
    erased_at: '2026-11-22T12:02:00.000Z',
    index_rewritten_at: null,
    restorable_until: '2026-12-22T12:02:00.000Z',
  })
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : null
      if (body) bodies.push(body)
      else looks += 1
      const answer = body?.dry_run
        ? { dry_run: true, ...erasure('running') }
        : erasure(looks < 3 ? 'running' : 'erased')
      response.writeHead(body && !body.dry_run ? 202 : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const env = { RECOLLECT_URL: `http://127.0.0.1:${port}`, RECOLLECT_API_KEY: 'rck_test_00x' }
  return { env, bodies, looks: () => looks }
}

async function erase(args: string[], setting: Parameters<typeof testIo>[0] & { typed?: boolean }) {
  const { io, out, err } = testIo(setting)
  if (setting.typed) Object.assign(io.stdin, { isTTY: true })
  const code = await run(io, ['erase', ...args], '1.0.0')
  return { code, out: out(), err: err() }
}

test('--yes erases, waits for the end and shows the receipt', async () => {
  const { env, bodies, looks } = await service()
  const { code, out } = await erase(['--subject', 'ada', '--yes', '--project', 'prj_1'], { env, terminal: true })
  expect(code).toBe(EXIT.ok)
  expect(bodies).toEqual([{ subject: 'ada', project_ids: ['prj_1'] }])
  expect(looks()).toBe(3)
  expect(out).toContain('Erased: 4 items (2 retired), 1 earlier text, 5 vectors')
  expect(out).toContain(`Receipt: ${ID}`)
  expect(out).toContain('Keys that name it: key_1')
})

test('without it the name must be typed, behind what a dry run counts', async () => {
  const first = await service()
  const right = await erase(['-n', 'ada'], { env: first.env, stdin: 'ada\n', typed: true })
  expect(right).toMatchObject({ code: EXIT.ok, err: expect.stringContaining('4 items') })
  expect(first.bodies).toEqual([{ namespace: 'ada', dry_run: true }, { namespace: 'ada' }])
  expect(JSON.parse(right.out)).toMatchObject({ id: ID, status: 'erased' })

  const second = await service()
  const wrong = await erase(['-n', 'ada'], { env: second.env, stdin: 'yes\n', typed: true })
  expect(wrong).toMatchObject({ code: EXIT.interrupted, err: expect.stringContaining('Nothing was erased') })
  expect(second.bodies).toEqual([{ namespace: 'ada', dry_run: true }])

  const third = await service()
  const nobody = await erase(['-n', 'ada'], { env: third.env })
  expect(nobody).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('--yes') })
  expect(third.bodies).toHaveLength(1)
})

test('--dry-run only counts', async () => {
  const { env, bodies } = await service()
  const { code, out } = await erase(['-n', 'ada', '--dry-run'], { env })
  expect(code).toBe(EXIT.ok)
  expect(bodies).toEqual([{ namespace: 'ada', dry_run: true }])
  expect(JSON.parse(out)).toMatchObject({ dry_run: true, counts: COUNTS })
})
