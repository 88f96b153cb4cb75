/** The Worker of `bench:audit` does an `AuditTask` here, and answers its `AuditCost`. */
export const AUDIT_PATH = '/bench/audit'

export type AuditTask = {
  /** Tells the CPU of this runtime. */
  cpuUrl: string
  /** Of all tenants that have rows so far, those that get more. */
  tenants: number
  /** Of each tenant. */
  accesses: number
} & (
  | { what: 'pages' | 'objects' }
  /** Lists rows of one tenant that has so many, `accesses` a page or an object, in one store or in both in turn. */
  | { what: 'list'; rows: number; from: 'database' | 'objects' | 'both' }
)

export interface AuditCost {
  cpuMs: number
  accesses: number
  /** By which the database grew. */
  databaseBytes: number
  /** Of the objects, compressed. */
  objectBytes: number
}
