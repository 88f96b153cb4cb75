// `npm run deploy -- --audit-bucket NAME` and `npm start -- --audit-bucket`: the bucket that audit pages are moved to.
import type { Unstable_RawConfig } from 'wrangler'
import { AUDIT_BUCKET } from '../src/core/shards.ts'
import { deployedBindings } from './deployed-bindings.ts'
import type { Wrangler } from './wrangler.ts'

/** A name that R2 accepts. */
const NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/
/** Cloudflare's codes for an account without R2, and for a bucket that exists. */
const NO_R2 = /code: 10042\b|enable R2/i
const IS_THERE = /code: 10004\b|already exists/i

interface Asked {
  /** `--audit-bucket`. */
  option: string | undefined
  source: Unstable_RawConfig
  staging: boolean
  /** null: nobody is logged in. */
  by: Wrangler | null
}

interface Chosen {
  /** null: the deployment has no bucket. */
  name: string | null
  /** The bucket is neither in the configuration nor bound yet. */
  isNew: boolean
}

/**
 * The bucket of a deployment: the one that is asked for, configured or bound. Throws where they are not the same, since rows that
 * lie in another bucket would not be found.
 */
export async function auditBucket({ option, source, staging, by }: Asked): Promise<Chosen> {
  const wanted = option !== undefined && staging && !option.endsWith('-staging') ? `${option}-staging` : option
  if (wanted !== undefined && !NAME.test(wanted))
    throw new Error('--audit-bucket must be the name of a bucket: 3 to 63 lower-case letters, digits and hyphens.')
  const configured = source.r2_buckets?.find(({ binding }) => binding === AUDIT_BUCKET)?.bucket_name
  const bound = by && source.name !== undefined ? await boundBucket(source.name, by) : undefined
  const known = bound ?? configured
  for (const other of [wanted, configured])
    if (known !== undefined && other !== undefined && other !== known)
      throw new Error(`The audit log is in the bucket ${known}, and would not be found in ${other}.`)
  const name = wanted ?? known ?? null
  return { name, isNew: name !== null && known === undefined }
}

/** The bucket that the deployed Worker is bound to. A later deployment binds it again, wherever it runs. */
const boundBucket = async (worker: string, by: Wrangler): Promise<string | undefined> =>
  (await deployedBindings(worker, by)).find(({ type, name }) => type === 'r2_bucket' && name === AUDIT_BUCKET)
    ?.bucket_name

/** Makes the bucket unless it is there. Throws one readable line where the account has no R2. */
export async function createBucket(name: string, by: Wrangler): Promise<void> {
  const { code, stdout, stderr } = await by(['r2', 'bucket', 'create', name])
  const said = `${stdout}${stderr}`
  if (code === 0 || IS_THERE.test(said)) return
  if (NO_R2.test(said))
    throw new Error(
      'R2 is not enabled in this account: enable it in the Cloudflare dashboard and run this command again. Nothing was bound.',
    )
  throw new Error(`The bucket ${name} was not created:\n${said}`)
}

/** The configuration with the bucket. */
export const withBucket = <Config extends Pick<Unstable_RawConfig, 'r2_buckets'>>(
  source: Config,
  name: string | null,
): Config =>
  name === null
    ? source
    : {
        ...source,
        r2_buckets: [
          ...(source.r2_buckets ?? []).filter(({ binding }) => binding !== AUDIT_BUCKET),
          { binding: AUDIT_BUCKET, bucket_name: name },
        ],
      }
