// The bindings of the Worker that runs now. A deployment that broke off, or one from elsewhere, leaves no other trace.
import { runWrangler, type Wrangler } from './wrangler.ts'

export interface DeployedBinding {
  type: string
  name: string
  /** The value of a variable. */
  text?: string
  /** The name of a bucket. */
  bucket_name?: string
}

/** Cloudflare's message about a Worker that does not exist, or was never deployed. */
const NO_WORKER = /code: 10007\b|has no deployments/

/** The bindings of all versions that run; none before the first deployment. Throws where the account does not tell. */
export async function deployedBindings(worker: string, by: Wrangler): Promise<DeployedBinding[]> {
  const status = await by(['deployments', 'status', '--name', worker, '--json'])
  const said = `${status.stdout}${status.stderr}`
  if (status.code !== 0 && NO_WORKER.test(said)) return []
  if (status.code !== 0) throw new Error(`The bindings of the Worker ${worker} cannot be read:\n${said}`)
  const { versions } = JSON.parse(status.stdout) as { versions: { version_id: string }[] }
  const bindings: DeployedBinding[] = []
  for (const { version_id } of versions) {
    const view = JSON.parse(await runWrangler(['versions', 'view', version_id, '--name', worker, '--json'], by)) as {
      resources: { bindings: DeployedBinding[] }
    }
    bindings.push(...view.resources.bindings)
  }
  return bindings
}
