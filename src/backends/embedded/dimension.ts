/** Of the vectors of the embedded model. */
export const EMBEDDED_DIMENSION = 256
