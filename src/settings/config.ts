import type { Config } from '../core/config.ts'
import { deploymentLimits } from './deployment-limits.ts'
import type { Settings } from './read-settings.ts'

/** What the service knows of its deployment. `exactTierMax`: where the settings give none. */
export const configOf = (
  settings: Settings,
  { faults, exactTierMax }: Pick<Config, 'faults' | 'exactTierMax'>,
): Config => ({
  environment: settings.ENVIRONMENT,
  signups: settings.SIGNUPS,
  openClientRegistration: settings.CLIENT_REGISTRATION === 'open',
  clientDocuments: settings.CLIENT_DOCUMENTS === 'on',
  allowLoopbackRedirects: settings.ALLOW_LOOPBACK_REDIRECTS,
  allowPrivateWebhooks: settings.ALLOW_PRIVATE_WEBHOOKS,
  allowPrivateClientDocuments: settings.ALLOW_PRIVATE_CLIENT_DOCUMENTS,
  publicOrigin: settings.PUBLIC_ORIGIN,
  publicHosts: [
    ...(settings.PUBLIC_ORIGIN === null ? [] : [new URL(settings.PUBLIC_ORIGIN).hostname]),
    ...settings.PUBLIC_HOSTS,
  ],
  logRequests: settings.LOG_REQUESTS,
  dataRegion: settings.DATA_REGION,
  faults,
  auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
  exactTierMax: settings.EXACT_TIER_MAX ?? exactTierMax,
  limits: deploymentLimits(settings),
  closedShards: settings.CLOSED_SHARDS,
  shardRegions: settings.SHARD_REGIONS,
  quotas: { items: settings.QUOTA_ITEMS, projects: settings.QUOTA_PROJECTS },
})
