import { matchAt, type Reader } from './found.ts'
import { isPassword } from './password.ts'
import { isRandom } from './plausible.ts'

/** Names of the secret half of an AWS access key, which has no form of its own but 40 characters of base64. */
export const AWS_SECRET_BEGINNINGS = [
  'secret_access_key',
  'SECRET_ACCESS_KEY',
  'secretAccessKey',
  'SecretAccessKey',
  'awsSecretAccessKey',
  'AWSSecretKey',
  'aws_secret_key',
  'AWS_SECRET_KEY',
  'secret access key',
  'Secret access key',
  'Secret Access Key',
]
const AWS_SECRET =
  /(?: ?\[[^\]\n]{0,24}\])?["'`*\\]{0,4}\s{0,8}(?:is\s|[:=]>?|,|→)?\s{0,8}["'`*\\]{0,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y

export const readAwsSecret: Reader = (text, _at, after) => {
  const match = matchAt(AWS_SECRET, text, after)
  if (!match) return after
  const end = after + match[0].length
  const start = end - 40
  return isRandom(text, start, end) ? { kind: 'aws_secret_key', start, end } : end
}

/** A password among the pairs of a connection string: of ADO.NET and ODBC (`;`), of libpq (a space), or of JDBC (`&`). */
export const PAIR_BEGINNINGS = ['password=', 'Password=', 'PASSWORD=', 'pwd=', 'Pwd=', 'PWD=', 'Password =']
const ADO_BEFORE = /(?<=[=][^;=\n]{1,100};\s?)(?:Password ?|Pwd)=\s?/iy
const LIBPQ_BEFORE =
  /(?<=\b(?:host|hostaddr|port|user|username|dbname|sslmode|connect_timeout|server|database|uid)=[^\s=;&]{1,100}[\s&])(?:password|pwd)=/iy
const ADO_VALUE = /"([^"\n;]{3,200})"|'([^'\n;]{3,200})'|([^;"'\s\\]{3,200})/y
const LIBPQ_VALUE = /'((?:[^'\\\n]|\\.){3,200})'|([^\s"'`\\]{3,200})/y
const JDBC_VALUE = /([^\s"'`\\&#]{3,200})/y

export const readPairPassword: Reader = (text, at, after) => {
  // Most places are told apart without an expression.
  const isAdo = (text[at - 1] === ';' || text[at - 2] === ';') && matchAt(ADO_BEFORE, text, at) !== null
  if (!isAdo && !matchAt(LIBPQ_BEFORE, text, at)) return after
  const ofUrl = text[at - 1] === '&' ? JDBC_VALUE : LIBPQ_VALUE
  const match = matchAt(isAdo ? ADO_VALUE : ofUrl, text, after)
  const value = match?.slice(1).find((group) => group !== undefined)
  if (!match || value === undefined) return after
  const start = after + match[0].indexOf(value)
  const end = start + value.length
  return isPassword(value) ? { kind: 'connection_string', start, end } : end
}
