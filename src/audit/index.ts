export { OUTCOMES, type Outcome } from './bundle.ts'
export { gather, gatherRequest, COUNT_STEP_MS } from './gather.ts'
export { auditJobs, auditSweeps } from './jobs.ts'
export { auditInsert, auditRow, auditSetStatement, auditStatement, type AuditActor, type AuditRow } from './record.ts'
