export { gather } from './gather.ts'
export { auditInsert, auditRow, auditStatement, type AuditActor, type AuditRow } from './record.ts'
