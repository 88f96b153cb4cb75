import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy on loopback that adds an API key to each request, for a client that can set no header. */
export async function startKeyProxy(target: string, key: string): Promise<{ url: string; stop(): void }> {
  const { host } = new URL(target)
  const proxy = createServer((from, to) => {
    const headers = { ...from.headers, host, authorization: `Bearer ${key}` }
    const onward = send(`${target}${from.url}`, { method: from.method ?? 'GET', headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    onward.on('error', () => to.writeHead(502).end())
    from.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => proxy.close() }
}
