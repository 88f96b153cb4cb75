import { shape, type TokenShape } from './token-shape.ts'

/** Tokens of clouds, databases and networks. Each group names where its vendor, or who scans for it, says its form. */
export const CLOUD_TOKENS: readonly TokenShape[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-prefixes
  shape('aws_access_key', 'AKIA ASIA ABIA ACCA', 'upper', 16),
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
  shape('aws_bedrock_key', 'ABSK bedrock-api-key-', 'base64', 100, 1_000),
  // https://cloud.google.com/docs/authentication/api-keys
  shape('google_api_key', 'AIza', 'url', 35),
  // https://ai.google.dev/gemini-api/docs/api-key
  shape('google_api_key', 'AQ.Ab8', 'url', 40, 60),
  // https://developers.google.com/identity/protocols/oauth2
  shape('google_client_secret', 'GOCSPX-', 'url', 28),
  shape('google_access_token', 'ya29.', 'dotted', 30, 2_048),
  shape('google_refresh_token', '1//0', 'url', 40, 512),
  // https://learn.microsoft.com/en-us/azure/storage/common/storage-account-keys-manage
  shape('azure_storage_key', 'AccountKey= accountKey= AccountKey":"', 'base64', 86, 88),
  // https://learn.microsoft.com/en-us/azure/service-bus-messaging/service-bus-sas
  shape('azure_shared_access_key', 'SharedAccessKey=', 'base64', 40, 90),
  // https://learn.microsoft.com/en-us/azure/storage/common/storage-sas-overview: the signature of a shared access URL
  shape('azure_sas_signature', 'sig=', 'percent', 44, 80),
  // https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair
  shape('alibaba_access_key', 'LTAI', 'alnum', 12, 24),
  // https://www.tencentcloud.com/document/product/598/32675
  shape('tencent_secret_id', 'AKID', 'alnum', 32),
  // https://docs.digitalocean.com/reference/api/create-personal-access-token/
  shape('digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', 'hex', 64),
  // https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/
  shape('cloudflare_token', 'cfk_ cfut_ cfat_', 'alnum', 40, 60),
  shape('cloudflare_origin_key', 'v1.0-', 'url', 100, 200),
  // https://www.scaleway.com/en/docs/iam/concepts/#api-key, https://www.wireguard.com/#cryptokey-routing
  shape('scaleway_access_key', 'SCW', 'upper', 17),
  { kind: 'wireguard_key', prefixes: ['PrivateKey = ', 'PrivateKey='], alphabet: 'base64', min: 44, max: 44 },
  // https://fly.io/docs/security/tokens/
  shape('fly_token', 'fo1_', 'url', 40, 60),
  shape('fly_token', 'fm1r_ fm1a_ fm2_', 'base64', 90, 4_096),
  // https://devcenter.heroku.com/articles/platform-api-quickstart
  shape('heroku_key', 'HRKU-', 'url', 36, 64),
  // https://render.com/docs/api, https://docs.netlify.com/api/get-started/
  shape('render_key', 'rnd_', 'alnum', 28, 40),
  shape('netlify_token', 'nfp_ nfc_ nfo_ nfu_', 'alnum', 36, 60),
  // https://vercel.com/docs/rest-api
  shape('vercel_token', 'vcp_ vci_ vca_ vcr_ vck_', 'alnum', 20, 60),
  // https://supabase.com/docs/guides/api/api-keys
  shape('supabase_token', 'sbp_', 'word', 40, 50),
  shape('supabase_key', 'sb_secret_', 'url', 28, 60),
  // https://neon.com/docs/manage/api-keys
  shape('neon_key', 'napi_', 'alnum', 40, 80),
  // https://planetscale.com/docs/concepts/service-tokens
  shape('planetscale_token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', 'dotted', 32, 64),
  // https://www.mongodb.com/docs/atlas/api/service-accounts-overview/
  shape('mongodb_client_secret', 'mdb_sa_sk_', 'url', 32, 60),
  // https://www.pinecone.io/docs
  shape('pinecone_key', 'pcsk_', 'word', 50, 90),
  // https://docs.databricks.com/aws/en/dev-tools/auth/pat
  shape('databricks_token', 'dapi', 'hex', 32),
  // https://developer.hashicorp.com/vault/docs/concepts/tokens
  shape('vault_token', 'hvs. hvb. hvr.', 'url', 24, 300),
  // https://www.pulumi.com/docs/administration/access-identity/access-tokens/
  shape('pulumi_token', 'pul-', 'hex', 40),
  // https://docs.openshift.com/container-platform/latest/authentication/tokens-scoping.html
  shape('openshift_token', 'sha256~', 'url', 43),
  // https://tailscale.com/kb/1277/key-prefixes
  shape('tailscale_key', 'tskey-', 'url', 20, 120),
  // https://docs.doppler.com/reference/auth-token-formats
  shape('doppler_token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.said. dp.scim. dp.audit.', 'dotted', 40, 80),
  // https://developer.1password.com/docs/service-accounts/security/
  shape('onepassword_token', 'ops_eyJ', 'base64', 100, 2_000),
  shape('onepassword_secret_key', 'A3-', 'url', 30, 40),
  // https://github.com/FiloSottile/age
  shape('age_key', 'AGE-SECRET-KEY-1', 'upper', 58),
  // https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens
  shape('dynatrace_token', 'dt0c01. dt0s01. dt0s02.', 'dotted', 80, 100),
  // https://grafana.com/docs/grafana-cloud/account-management/authentication-and-permissions/access-policies/
  shape('grafana_token', 'glc_', 'base64', 32, 400),
  shape('grafana_token', 'glsa_', 'word', 41),
  // https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/
  shape('newrelic_key', 'NRAK- NRJS- NRII- NRRA-', 'url', 19, 45),
  // https://docs.honeycomb.io/configure/environments/manage-api-keys/
  shape('honeycomb_key', 'hcaik_ hcxik_ hcamk_', 'word', 32, 80),
  // https://docs.sentry.io/account/auth-tokens/
  shape('sentry_token', 'sntrys_', 'base64', 60, 500),
  shape('sentry_token', 'sntryu_', 'hex', 64),
  // https://posthog.com/docs/api
  shape('posthog_key', 'phx_', 'word', 40, 60),
  // https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki, https://nips.nostr.com/19
  shape('extended_private_key', 'xprv yprv zprv tprv', 'alnum', 100, 112),
  shape('nostr_key', 'nsec1', 'alnum', 58),
]
