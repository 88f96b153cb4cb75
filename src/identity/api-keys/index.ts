import { createKeyEndpoint } from './create.ts'
import { getKeyEndpoint } from './get.ts'
import { listKeysEndpoint } from './list.ts'
import { revokeKeyEndpoint } from './revoke.ts'
import { rotateKeyEndpoint } from './rotate.ts'

export { keySweep } from './sweep.ts'

export const keyEndpoints = [createKeyEndpoint, listKeysEndpoint, getKeyEndpoint, rotateKeyEndpoint, revokeKeyEndpoint]
