import type { DeliveryRequest } from '../../events/index.ts'
import { commandLine, quoted } from '../snippets/shell.ts'

/** The command line that sends a delivery by hand. What the reader may not see stands there as a variable of the shell. */
export function curlOf({ url, headers, custom_headers, body }: DeliveryRequest): string {
  const signed = 'webhook-signature' in headers
  return commandLine(
    `curl ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(signed ? [] : [withVariable('webhook-timestamp', 'TIMESTAMP'), withVariable('webhook-signature', 'SIGNATURE')]),
    ...custom_headers.map((name) => withVariable(name, variableOf(name))),
    `--data-raw ${quoted(body)}`,
  )
}

const withVariable = (name: string, variable: string): string => `-H ${quoted(`${name}: `)}"$${variable}"`

/** `X-Mine` → `X_MINE`. */
const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_')
