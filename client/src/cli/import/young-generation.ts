import { setFlagsFromString } from 'node:v8'

/**
 * Keeps what V8 sets aside for new objects small. Else it grows to 128 MB while a large file is read, of which one
 * conversation is needed at a time. V8 reads this flag each time it would grow.
 */
export const keepYoungGenerationSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')
