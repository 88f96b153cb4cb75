import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The address of a deployment, without a slash at its end. Plain http is for this computer alone: a credential would
 * cross the network in the clear.
 */
export function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new Failure(EXIT.usage, `"${text}" is not a valid address.`, {
      hint: 'Use an address such as https://recollect.example.com.',
    })
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Failure(EXIT.usage, 'The address of a deployment cannot have a user, query or fragment.')
  }
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new Failure(EXIT.usage, `${url.origin} is not encrypted.`, {
      hint: 'Use https. Plain http works only for a deployment on this computer.',
    })
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
