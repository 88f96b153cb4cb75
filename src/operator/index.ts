import { getLimitsEndpoint } from './get-limits.ts'
import { listChangesEndpoint } from './list-changes.ts'
import { listLimitsEndpoint } from './list-limits.ts'
import { limitSweep } from './sweep.ts'
import { spreadSweep } from './spread.ts'
import { updateLimitsEndpoint } from './update-limits.ts'

export const operatorEndpoints = [listLimitsEndpoint, getLimitsEndpoint, updateLimitsEndpoint, listChangesEndpoint]
export const operatorSweeps = [spreadSweep, limitSweep]
