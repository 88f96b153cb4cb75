/** The forms of git: `ssh://git@host:22/owner/name.git`, and `git@host:owner/name.git` as scp has it. */
const SCHEMES = new Set(['https:', 'http:', 'ssh:', 'git:', 'git+ssh:', 'git+https:'])
const SCP = /^(?:.*@)?([^/:@[\]]+):([^:].*)$/

/**
 * `host/owner/name` of the address of a remote; null for a folder of this computer. Everything that may hold a secret is
 * dropped: user, password, query and fragment. So is what differs between two addresses of one repository: scheme, port,
 * `.git`, and the case of the host.
 */
export function remoteName(address: string): string | null {
  const [host, path] = parts(address.trim()) ?? []
  if (host === undefined || path === undefined) return null
  const name = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
    .replace(/\.git$/i, '')
  return host === '' || name === '' ? null : `${host.toLowerCase()}/${name}`
}

function parts(address: string): [host: string, path: string] | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    const url = URL.canParse(address) ? new URL(address) : null
    return url && SCHEMES.has(url.protocol) ? [url.hostname, decoded(url.pathname)] : null
  }
  const [, host, path = ''] = SCP.exec(address) ?? []
  // `C:\work` is a folder.
  return host === undefined || host.length === 1 ? null : [host, path.replace(/[?#].*$/, '')]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
