import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy to the service that a test can cut and restore. */
export interface TcpProxy {
  /** `ws://…`, without a slash at its end. */
  url: string
  /** Drops every connection without a close frame, and accepts no new one. */
  cut(): void
  restore(): void
  /** Drops each new connection once it has carried so many bytes of the service. */
  limit(bytes: number): void
  stop(): Promise<void>
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  let maxBytes = Infinity
  const ends = new Set<Socket>()
  let open = true
  const server = createServer((near) => {
    if (!open) {
      near.destroy()
      return
    }
    const far = connect(Number(port), hostname)
    let left = maxBytes
    far.on('data', ({ length }) => {
      left -= length
      if (left < 0) near.destroy()
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    open = false
    for (const one of ends) one.destroy()
  }
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      open = true
    },
    limit: (bytes) => {
      maxBytes = bytes
    },
    stop: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
