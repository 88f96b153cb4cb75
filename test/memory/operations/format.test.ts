import { expect, test } from 'vitest'
import document from '../../../docs/format.md?raw'
import { MemoryItemSchema } from '../../../src/memory/item.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { call } from '../../support/world.ts'

/** The fields that a section of docs/format.md names in the first column of its table. */
function fieldsOf(heading: string): string[] {
  const [, section = ''] = document.split(`## ${heading}\n`)
  const [table = ''] = section.split('\n## ', 1)
  const firstColumns = Array.from(table.matchAll(/^\| (`[^|]*)\|/gm), ([, column = '']) => column)
  return firstColumns.flatMap((column) => Array.from(column.matchAll(/`(\w+)`/g), ([, field = '']) => field))
}

const IMPORTED = fieldsOf('Exported and imported')
const NOT_IMPORTED = fieldsOf('Exported and not imported')

const send = (user: Writer, lines: readonly string[]) =>
  call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: lines.join('\n'),
  })

const linesOf = async (user: Writer): Promise<any[]> =>
  (await user.send('GET', '/v1/memory/export?namespace=*&status=any')).text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What a line says in the fields that an import takes. */
function essence(line: any): any {
  const { project_id: _, ...context } = line.context
  const kept = Object.entries({ ...line, context }).filter(([field]) => !NOT_IMPORTED.includes(field))
  return Object.fromEntries(kept)
}

test('docs/format.md names each field of an item once', () => {
  // The answers of other operations alone have these.
  const others = ['deduplicated', 'warnings', 'warnings_omitted']
  const fields = Object.keys(MemoryItemSchema.shape).filter((field) => !others.includes(field))
  expect([...IMPORTED, ...NOT_IMPORTED].sort()).toEqual([...fields, 'turn'].sort())
})

test('an export, imported into an empty project, exports equal but for the fields that docs/format.md names', async () => {
  const [from, to] = [await newWriter(), await newWriter()]
  const turn = (role: string, text: string, more: object) => ({
    content: { text, metadata: { title: 'Dinner' } },
    context: { conversation_id: 'c', namespace: 'user:ada' },
    occurred_at: '2026-03-01T09:00:00.000Z',
    turn: { role, ...more },
  })
  const told = await from.store({ content: 'Ada lives in Bonn.', custom_id: 'home' })
  await from.store({ content: 'Ada lives in Rome.', supersedes: [told.body.id], supersede_reason: 'She moved.' })
  await from.store({
    content: { text: 'Ünï', type: 'text/markdown', metadata: { a: [1] } },
    context: { namespace: 'n', scope: 'document', document_id: 'd', session_id: 's', subject: 'ada' },
    tags: ['t', 'u'],
    ttl: 500,
    occurred_at: '0799-12-25T00:00:00Z',
  })
  await from.store({ content: 'mine', visibility: 'private' })
  const report = await send(
    from,
    [
      turn('user', 'Ada is allergic to peanuts.', { message_id: 'u1' }),
      turn('assistant', 'Then no satay.', { message_id: 'a1', speaker: 'Chef' }),
      turn('assistant', 'Risotto it is.', { message_id: 'a1', speaker: 'Chef', part: 1 }),
      turn('tool', 'Ten dinners', {}),
    ].map((line) =>
      JSON.stringify({ ...line, created_at: '2026-04-01T00:00:00Z', updated_at: '2026-05-01T00:00:00Z' }),
    ),
  )
  expect(report.body).toMatchObject({ created: 4, failed: 0 })

  const exported = await linesOf(from)
  const imported = await send(
    to,
    exported.map((line) => JSON.stringify(line)),
  )
  expect(imported.body).toMatchObject({ created: 8, updated: 0, failed: 0, times_kept: true })
  const byText = (lines: any[]) => lines.map(essence).sort((a, b) => (a.content.text < b.content.text ? -1 : 1))
  const again = await linesOf(to)
  expect(byText(again)).toEqual(byText(exported))
  expect(byText(exported).filter(({ turn: of }) => of !== undefined)).toHaveLength(4)
  // The fields of both tables are in the lines, but for those that only some items have.
  const found = new Set(exported.flatMap((line) => Object.keys(line)))
  expect([...IMPORTED, ...NOT_IMPORTED].filter((field) => !found.has(field))).toEqual([])

  const twice = await send(
    to,
    again.filter(({ turn: of }) => of !== undefined).map((line) => JSON.stringify(line)),
  )
  expect(twice.body).toMatchObject({ created: 0, failed: 0 })
  expect(byText(await linesOf(to))).toEqual(byText(exported))
})
