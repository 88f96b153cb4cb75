export { gather } from './gather.ts'
export { auditRow, auditStatement, type AuditRow } from './record.ts'
