/** Conditions on metadata that cost as much as to parse it. Each walks through the members for its path. */
const CONDITIONS_OF_A_PARSE = 4

/**
 * SQL: the bytes of metadata of an item that count against every bound of filters (contract §3). SQLite reads their number
 * from the head of the row.
 */
export const parsedBytes = (metadataConditions: number, item = 'i'): string =>
  `octet_length(${item}.metadata) * ${1 + metadataConditions / CONDITIONS_OF_A_PARSE}`
