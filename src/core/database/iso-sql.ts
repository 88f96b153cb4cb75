/** SQL: an instant in milliseconds as ISO 8601 in UTC (contract §1), the same text as `iso` makes; null stays null. */
export const isoSql = (ms: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`
