import { listAuditEndpoint } from './list.ts'
import { usageSeriesEndpoint } from './series.ts'

export const auditEndpoints = [listAuditEndpoint, usageSeriesEndpoint]
