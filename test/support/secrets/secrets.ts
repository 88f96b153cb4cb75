import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { BASE62, base64, base64url, DIGITS, encoded, HEX, type Seeded } from './random.ts'

/** A made-up secret: its kind in the words, and the secret itself. No secret stands in this file. */
export interface Secret {
  group: 'private key' | 'vendor token' | 'own token' | 'jwt' | 'connection string' | 'header' | 'seed phrase'
  /** What must not be left where it was redacted. */
  secret: string
  /** The secret with what shows that it is one. */
  written: string
}

type Make = (r: Seeded) => string
const URL = `${BASE62}-_`
const UPPER32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

/** Prefixes are put together, so that no scanner takes this file for a leak. */
const p = (...parts: string[]): string => parts.join('')

/** A GitHub token with 36 characters behind its prefix, and an access key of AWS with 16. */
export const githubToken: Make = (r) => p('gh', 'p_') + r.chars(36)
export const awsKey: Make = (r) => p('AK', 'IA') + r.chars(16, UPPER32)

export const VENDORS: Make[] = [
  (r) => p('AK', 'IA') + r.chars(16, UPPER32),
  (r) => p('AI', 'za') + r.chars(35, URL),
  (r) => p('GOC', 'SPX-') + r.chars(28, URL),
  (r) => p('ya', '29.') + r.chars(120, URL),
  (r) => p('gh', r.pick(['p', 'o', 'u', 's', 'r']), '_') + r.chars(36),
  (r) => p('github', '_pat_') + r.chars(22) + '_' + r.chars(59),
  (r) => p('gl', 'pat-') + r.chars(20, URL),
  (r) => p('gl', r.pick(['dt', 'rt', 'ptt', 'ft', 'soat']), '-') + r.chars(20, URL),
  (r) => p('sk-', 'proj-') + r.chars(74, URL) + p('T3Blbk', 'FJ') + r.chars(74, URL),
  (r) => p('s', 'k-') + r.chars(20) + p('T3Blbk', 'FJ') + r.chars(20),
  (r) => p('s', 'k-') + r.chars(32, HEX),
  (r) => p('sk-', 'ant-', 'api03-') + r.chars(93, URL) + 'AA',
  (r) => p('sk-', 'or-v1-') + r.chars(64, HEX),
  (r) => p('sk', r.pick(['_live_', '_test_'])) + r.chars(r.pick([24, 99])),
  (r) => p('rk', '_live_') + r.chars(24),
  (r) => p('wh', 'sec_') + base64(r.bytes(24)),
  (r) => p('xo', 'xb-') + `${r.chars(12, DIGITS)}-${r.chars(13, DIGITS)}-${r.chars(24)}`,
  (r) => p('xo', 'xp-') + `${r.chars(12, DIGITS)}-${r.chars(12, DIGITS)}-${r.chars(12, DIGITS)}-${r.chars(32, HEX)}`,
  (r) => p('xa', 'pp-1-') + `A${r.chars(10, UPPER32)}-${r.chars(13, DIGITS)}-${r.chars(64, HEX)}`,
  (r) => p('https://hooks.', 'slack.com/services/') + `T${r.chars(8)}/B${r.chars(10)}/${r.chars(24)}`,
  (r) => p('S', 'G.') + `${r.chars(22, URL)}.${r.chars(43, URL)}`,
  (r) => p('np', 'm_') + r.chars(36),
  (r) => p('py', 'pi-') + p('AgEIcHlwaS5vcmc') + r.chars(150, URL),
  (r) => p('h', 'f_') + r.chars(34, BASE62.slice(0, 52)),
  (r) => p('gs', 'k_') + r.chars(52),
  (r) => p('xa', 'i-') + r.chars(80),
  (r) => p('pp', 'lx-') + r.chars(48),
  (r) => p('r8', '_') + r.chars(37),
  (r) => p('nv', 'api-') + r.chars(64, URL),
  (r) => p('lin', '_api_') + r.chars(40),
  (r) => p('nt', 'n_') + r.chars(11, DIGITS) + r.chars(35),
  (r) => p('fi', 'gd_') + r.chars(40, URL),
  (r) => p('sh', 'pat_') + r.chars(32, HEX),
  (r) => p('do', 'p_v1_') + r.chars(64, HEX),
  (r) => p('da', 'pi') + r.chars(32, HEX),
  (r) => p('hv', 's.') + r.chars(95, URL),
  (r) => p('dckr', '_pat_') + r.chars(27, URL),
  (r) => p('gl', 'sa_') + `${r.chars(32)}_${r.chars(8, HEX)}`,
  (r) => p('NR', 'AK-') + r.chars(27, UPPER32),
  (r) => p('PM', 'AK-') + `${r.chars(24, HEX)}-${r.chars(34, HEX)}`,
  (r) => p('pul', '-') + r.chars(40, HEX),
  (r) => p('rubygems', '_') + r.chars(48, HEX),
  (r) => p('tsk', 'ey-auth-') + `${r.chars(12)}CNTRL-${r.chars(32)}`,
  (r) => p('dp', '.pt.') + r.chars(43),
  (r) => p('sq0', 'csp-') + r.chars(43, URL),
  (r) => p('S', 'K') + r.chars(32, HEX),
  (r) => p('key', '-') + r.chars(32, HEX),
  (r) => r.chars(32, HEX) + p('-us', '12'),
  (r) => p('xkey', 'sib-') + `${r.chars(64, HEX)}-${r.chars(16)}`,
  (r) => p('pat', '-na1-') + r.uuid(),
  (r) => p('p', 'at') + `${r.chars(14)}.${r.chars(64, HEX)}`,
  (r) => p('re', '_') + `${r.chars(8)}_${r.chars(24)}`,
  (r) => `${r.chars(9, DIGITS.slice(1))}:` + p('A', 'A') + r.chars(33, URL),
  (r) => p('M', 'T') + r.chars(24) + `.${r.chars(6)}.${r.chars(38, URL)}`,
  (r) => r.chars(14) + p('.atl', 'asv1.') + r.chars(67),
  (r) => r.chars(3) + p('8', 'Q~') + r.chars(34),
  (r) => p('ATATT3', 'xFfGF0') + r.chars(170, URL),
  (r) => p('AGE-SECRET', '-KEY-1') + r.chars(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'),
  (r) => p('sb', 'p_') + r.chars(40, HEX),
  (r) => p('pscale', '_tkn_') + r.chars(43, URL),
  (r) => p('nf', 'p_') + r.chars(36),
  (r) => p('LT', 'AI') + r.chars(20),
  (r) => p('EA', 'AC') + r.chars(160),
  (r) => p('bk', 'ua_') + r.chars(40, HEX),
  (r) => p('sntr', 'yu_') + r.chars(64, HEX),
  (r) => p('lsv2', '_pt_') + `${r.chars(32, HEX)}_${r.chars(10, HEX)}`,
  (r) => p('CF', 'PAT-') + r.chars(43, URL),
  (r) => p('HR', 'KU-') + r.uuid(),
]

const lines = (text: string, width: number, joint: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(joint)

function privateKey(r: Seeded): Secret {
  const [label, start, size] = r.pick([
    ['RSA PRIVATE KEY', 'MIIE', 1190],
    ['PRIVATE KEY', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 1200],
    ['PRIVATE KEY', 'MC4CAQAwBQYDK2VwBCIEI', 32],
    ['EC PRIVATE KEY', 'MHcCAQEE', 110],
    ['OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB', 300],
    ['PGP PRIVATE KEY BLOCK', 'lQPGBF', 900],
    ['ENCRYPTED PRIVATE KEY', 'MIIFHDBOBgkqhkiG9w0BBQ0wQTAp', 1200],
  ] as const)
  const joint = r.pick(['\n', '\n', '\\n', '\\\\n', '\r\n', '\n    '])
  const body = lines(start + base64(r.bytes(size)), 64, joint)
  const written = `-----BEGIN ${label}-----${joint}${body}${joint}-----END ${label}-----`
  return { group: 'private key', secret: body.slice(70, 120) || body, written }
}

function jwt(r: Seeded): Secret {
  const header = r.pick([
    '{"alg":"HS256","typ":"JWT"}',
    `{"alg":"RS256","kid":"${r.chars(8)}"}`,
    '{"typ":"JWT","alg":"ES256"}',
  ])
  const claims = `{"sub":"${r.uuid()}","iat":17${r.chars(8, DIGITS)},"role":"${r.pick(['admin', 'user'])}"}`
  const secret = `${encoded(header)}.${encoded(claims)}.${base64url(r.bytes(r.pick([32, 64, 256])))}`
  return { group: 'jwt', secret, written: secret }
}

const PASSWORDS: Make[] = [
  (r) => r.chars(16),
  (r) => r.chars(12, `${BASE62}!$%^&*-_+=.`),
  (r) => `${r.pick(['Winter', 'tulip', 'Berlin', 'Kettle'])}${r.chars(4, DIGITS)}!`,
  (r) => encodeURIComponent(`${r.chars(8)}/${r.chars(5)}`),
]

function connectionString(r: Seeded): Secret {
  const password = r.pick(PASSWORDS)(r)
  const user = r.pick(['app', 'svc_orders', 'admin', 'reader', 'default'])
  const host = r.pick([
    'db.internal',
    '10.0.3.17',
    'cluster0.x7k2p.mongodb.net',
    'localhost',
    'redis-12.cloud.example.net',
  ])
  const written = r.pick([
    `postgres://${user}:${password}@${host}:5432/orders`,
    `postgresql+asyncpg://${user}:${password}@${host}/orders?sslmode=require`,
    `mysql://${user}:${password}@${host}:3306/shop`,
    `mongodb+srv://${user}:${password}@${host}/?retryWrites=true`,
    `redis://:${password}@${host}:6379/0`,
    `amqps://${user}:${password}@${host}/vhost`,
    `https://${user}:${encodeURIComponent(password)}@${host}/repo.git`,
    `Server=tcp:${host},1433;Database=orders;User Id=${user};Password=${password};Encrypt=true`,
    `host=${host} port=5432 dbname=orders user=${user} password=${password} sslmode=require`,
    `DefaultEndpointsProtocol=https;AccountName=${user.replace('_', '')};AccountKey=${base64(r.bytes(64))};EndpointSuffix=core.windows.net`,
  ])
  const key = /AccountKey=([^;]+)/.exec(written)?.[1]
  return {
    group: 'connection string',
    secret: key ?? (written.startsWith('https') ? encodeURIComponent(password) : password),
    written,
  }
}

function header(r: Seeded): Secret {
  const basic = base64(new TextEncoder().encode(`${r.pick(['admin', 'ci', 'svc'])}:${r.chars(14)}`))
  const bearer = r.pick([
    r.chars(40),
    r.chars(32, HEX),
    r.uuid(),
    base64url(r.bytes(32)),
    `${r.chars(20)}.${r.chars(24)}`,
  ])
  const isBasic = r.next() < 0.5
  const secret = isBasic ? basic : bearer
  const value = `${isBasic ? 'Basic' : 'Bearer'} ${secret}`
  return {
    group: 'header',
    secret,
    written: r.pick([
      `Authorization: ${value}`,
      `-H "Authorization: ${value}"`,
      `{"Authorization": "${value}"}`,
      `authorization: ${value}`,
    ]),
  }
}

function seedPhrase(r: Seeded): Secret {
  const phrase = entropyToMnemonic(r.bytes(r.pick([16, 16, 20, 24, 32])), wordlist)
  const words = phrase.split(' ')
  const written = r.pick([
    phrase,
    phrase,
    words.join('\n'),
    words.map((word, at) => `${at + 1}. ${word}`).join('\n'),
    JSON.stringify(words),
    words.join(', '),
  ])
  return { group: 'seed phrase', secret: written, written }
}

function token(group: 'vendor token' | 'own token', make: Make, r: Seeded): Secret {
  const secret = make(r)
  return { group, secret, written: secret }
}

const OWN = ['rck_live', 'rck_test', 'rca', 'rcr', 'rcs', 'rcx']

/** A secret of each kind in turn; the kinds with many forms come more often. */
export function makeSecret(r: Seeded, number: number): Secret {
  const kind = number % 10
  if (kind === 0) return privateKey(r)
  if (kind === 1) return jwt(r)
  if (kind === 2) return connectionString(r)
  if (kind === 3) return header(r)
  if (kind === 4) return seedPhrase(r)
  if (kind === 5) return token('own token', (one) => `${one.pick(OWN)}_${one.chars(54, CROCKFORD)}`, r)
  return token('vendor token', VENDORS[Math.floor(number / 2.5) % VENDORS.length] ?? (() => ''), r)
}
