export type { RequestOutcome } from './message.ts'
export {
  countFigure,
  countOutcome,
  countRequest,
  countRerank,
  countSecrets,
  type GuardAction,
  enqueueAuditRow,
} from './queue.ts'
export { auditConsumer } from './consumer.ts'
export { auditSweeps } from './sweeps.ts'
export { auditInsert, auditRow, auditSetStatement, auditStatement, type AuditRow } from './record.ts'
export { AUDIT_OUTCOMES, type AuditOutcome } from './outcomes.ts'
export { listAudit } from './list.ts'
export type { AuditFilter, AuditVisibility } from './visible.ts'
export { oldestPage } from './objects/due.ts'
export { AUDIT_WARNINGS, auditWarnings } from './ready-warnings.ts'
export { RANGE_REFUSALS, rangeFields, rangeOf } from './step-range.ts'
export { readUsage } from './usage.ts'
export { BUCKETS, DURATION_BOUNDS_MS } from './durations.ts'
export { BACKLOG_COUNTED_TO, readBacklog, storeBacklog } from './embedding-backlog.ts'
export { MAX_NAMES, readSeries, SERIES_BY } from './series.ts'
export { FIGURE_LABELS, figuresDatabase, readFigures, type FigureFamily, type FigureRow } from './figures.ts'
