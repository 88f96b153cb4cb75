/** Counts round trips and rows, so that tests can hold a caller to a budget. */
export interface Meter {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}
