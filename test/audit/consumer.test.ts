import { expect, test } from 'vitest'
import { auditConsumer } from '../../src/audit/index.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import type { System } from '../../src/core/context.ts'
import { auditRowOf, storedIds } from '../support/audit.ts'
import { newTenant, system } from '../support/world.ts'

test('dead letters are stored, and an alert line says so', async () => {
  const tenant = await newTenant()
  const lines: unknown[] = []
  const alerting: System = { ...system, log: { info: () => {}, error: (line) => lines.push(line) } }
  const message = { ...emptyMessage(), id: system.newId('aud'), rows: [auditRowOf(tenant)] }
  await auditConsumer.onDeadLetters(alerting, [
    { id: '1', body: message, attempts: 5, sentAt: 0, ack: () => {}, retry: () => {} },
  ])
  expect(await storedIds(tenant)).toEqual([message.rows[0]?.id])
  expect(lines).toEqual([{ event: 'audit.dead_letters', alert: true, messages: 1 }])
})
