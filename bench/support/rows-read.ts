/** The Worker of `bench:worst` answers `RowsRead` here: what was read since the last request to this path. */
export const ROWS_PATH = '/bench/rows'
/** Answers the same once no consumer is under way. From then to the next request to `ROWS_PATH` none begins. */
export const ALONE_PATH = '/bench/rows/alone'

/** A call to D1: a statement, or a batch of them as one transaction. */
export interface Call {
  /** CPU of the whole runtime from the start of the call to its answer. No other call was under way. Of a dear read the least of three. */
  cpuMs: number
  /** Where its first statement that writes rows begins, or its first. */
  sql: string
}

/** Rows of D1 that the statements of requests have read, without consumers, sweeps and the storage of the objects. */
export interface RowsRead {
  rows: number
  statements: number
  /** The dearest calls to D1, the dearest first. */
  dearest: Call[]
  /** The same of consumers. */
  dearestOfConsumers: Call[]
}
