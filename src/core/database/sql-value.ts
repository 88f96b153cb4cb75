/** Values that D1 binds. Lists travel as one JSON text through `json_each` (100 bound parameters a query). */
export type SqlValue = string | number | null | ArrayBuffer | Uint8Array
