import type { System } from '../../core/context.ts'
import { addFigure, figureKey, type Figure } from '../figures.ts'
import { sendData } from '../../core/work.ts'
import { emptyMessage, type AuditMessage } from '../message.ts'
import { AUDIT } from '../queue.ts'
import type { ObjectIndex } from './format.ts'

/**
 * Counts objects that lists find from now on, for `GET /metrics`. Does nothing where nobody may read it. A count that cannot be
 * sent is lost, and fails nothing.
 */
export async function countObjects(system: System, shard: string, objects: readonly ObjectIndex[]): Promise<void> {
  if (system.metricsToken === null || objects.length === 0) return
  const sums: Record<string, number[]> = {}
  const add = (figure: Figure) => addFigure(sums, figureKey(figure), figure)
  for (const { bytes, rows } of objects) {
    add({ family: 'audit_object', labels: [shard] })
    add({ family: 'audit_object_bytes', labels: [shard], events: bytes })
    add({ family: 'audit_object_rows', labels: [shard], events: rows })
  }
  const message: AuditMessage = { ...emptyMessage(), id: system.newId('aud'), figures: { at: system.now(), sums } }
  try {
    await sendData(system, AUDIT, [message])
  } catch (error) {
    system.log.error({ event: 'audit.objects_not_counted', shard, objects: objects.length }, error)
  }
}
