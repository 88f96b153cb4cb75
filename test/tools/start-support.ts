import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'

/** What a server printed since a line: requests without their status, other lines as they are. */
export const printedSince = (line: string, output: string): string[] =>
  stripVTControlCharacters(output.slice(output.indexOf(line) + line.length))
    .split('\n')
    .filter((one) => one.trim() !== '')
    .map((one) => /^\[wrangler:info\] (\w+ \S+) 20\d/.exec(one)?.[1] ?? one)

/** A webhook receiver of this machine. It counts its requests, and those that wait for an answer. */
export async function newReceiver(answer: (reply: ServerResponse) => void) {
  let [received, open] = [0, 0]
  const server = createServer((request, reply) => {
    received += 1
    open += 1
    reply.on('close', () => (open -= 1))
    request.resume()
    request.on('end', () => answer(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received: () => received, open: () => open }
}
