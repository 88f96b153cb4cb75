/** The Worker of `bench:shards` answers here the round trips of requests to a database since the last call. */
export const TRIPS_PATH = '/bench/trips'
/** The time that a statement takes of its database there, in milliseconds. */
export const STATEMENT_MS = 20
