import ipaddr from 'ipaddr.js'
import type { Resolver } from '../ports.ts'

/** Why a URL is refused as the target of a webhook. */
export type TargetFault = 'invalid_url' | 'https_required' | 'user_info' | 'private_target' | 'own_service'

/** Addresses in public ranges at which a cloud serves metadata to its own machines. */
const METADATA_ADDRESSES = new Set(['168.63.129.16'])
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/**
 * Checks the URL alone (contract §5). The URL parser turns every spelling of an IPv4 address (decimal, octal, hexadecimal,
 * short) into one form. `allowPrivate` allows private targets and plain http.
 */
export function urlFault(url: string, ownHosts: readonly string[], allowPrivate: boolean): TargetFault | null {
  const target = URL.parse(url)
  if (!target || (target.protocol !== 'https:' && target.protocol !== 'http:')) return 'invalid_url'
  if (target.username !== '' || target.password !== '') return 'user_info'
  if (allowPrivate) return null
  if (target.protocol !== 'https:') return 'https_required'
  const name = hostOf(target)
  if (ownHosts.includes(name)) return 'own_service'
  if (ipaddr.isValid(name)) return addressFault(name)
  const labels = name.split('.')
  if (labels.length < 2 || PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
    return 'private_target'
  }
  return null
}

/** Allows global unicast addresses only. An IPv4 address mapped into IPv6 is checked as IPv4. */
export function addressFault(address: string): TargetFault | null {
  if (!ipaddr.isValid(address)) return 'private_target'
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || METADATA_ADDRESSES.has(parsed.toString())) return 'private_target'
  const isGlobal = parsed instanceof ipaddr.IPv4 ? !parsed.match(BENCHMARKING) : isGlobalUnicast(parsed)
  return isGlobal ? null : 'private_target'
}

/** Allocated by IANA for global unicast and not in its registry of special-purpose addresses. */
const isGlobalUnicast = (address: ipaddr.IPv6): boolean =>
  address.match(GLOBAL_UNICAST) && !SPECIAL_PURPOSE.some((range) => address.match(range))

const BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15')
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Protocol assignments (Teredo, ORCHID), documentation twice, 6to4, the end of the 6bone. */
const SPECIAL_PURPOSE = ['2001::/23', '2001:db8::/32', '3fff::/20', '2002::/16', '3ffe::/16'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
)

/**
 * Checks the addresses of the host name; called before each attempt. One private address among public ones refuses the name.
 * Throws where the name has no answer; the attempt is then postponed.
 */
export async function resolvedFault(
  url: string,
  resolver: Resolver,
  allowPrivate: boolean,
): Promise<TargetFault | null> {
  const target = URL.parse(url)
  if (!target) return 'invalid_url'
  const name = hostOf(target)
  if (allowPrivate || ipaddr.isValid(name)) return null
  const addresses = await resolver.addresses(name)
  if (addresses.length === 0) throw new Error('the name has no address')
  return addresses.map(addressFault).find((fault) => fault !== null) ?? null
}

/** The host without the brackets of an IPv6 address and the final dot of a fully qualified name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
