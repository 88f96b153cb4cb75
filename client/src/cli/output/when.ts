/** An instant for a table: to the minute, in UTC. */
export const minute = (instant: string | null): string =>
  instant === null ? '' : instant.slice(0, 16).replace('T', ' ')
