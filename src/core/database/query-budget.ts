/** Queries that D1 takes of one invocation (architecture §9). Each statement of a batch counts here, and each call of a bucket. */
export const MAX_QUERIES = 1_000
/** Past it a sweep or a consumer begins no further portion. The portion under way may need as many again. */
const ENOUGH_QUERIES = 500

/** Counts what one invocation asks of D1, over all databases, and of the audit bucket. */
export class QueryBudget {
  spent = 0

  /** No further portion is begun. The rest goes into a message, or waits for the next sweep. */
  get isSpent(): boolean {
    return this.spent >= ENOUGH_QUERIES
  }
}
