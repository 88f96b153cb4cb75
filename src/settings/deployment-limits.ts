import type { DeploymentLimits } from '../core/settable-limits.ts'
import type { Settings } from './read-settings.ts'

/** The limits that the settings of a deployment give. */
export const deploymentLimits = (settings: Settings<'UserHub'>): DeploymentLimits => ({
  variables: { users: settings.LIMITS, service_accounts: settings.SERVICE_ACCOUNT_LIMITS },
  factor: settings.LIMITS_FACTOR,
})
