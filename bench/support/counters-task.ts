export const COUNTERS_PATH = '/bench/counters'

/** A task of the bench for its Worker. */
export interface CountersTask {
  /** `count`: add requests to the sums of an isolate; `store`: store messages, as the consumer of the queue does. */
  work: 'count' | 'store'
  times: number
  /** False: the same work without the counters by the hour. */
  counters: boolean
}

/** Requests that an isolate gathers into a message. */
export const REQUESTS_A_MESSAGE = 100
