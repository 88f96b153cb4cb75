import { listAuditEndpoint } from './list.ts'

export const auditEndpoints = [listAuditEndpoint]
