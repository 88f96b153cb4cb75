/** The part of a WebSocket that the stream uses. The global one of browsers, Node 22+, Deno and Workers fits. */
export interface SocketLike {
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

/** Node 20 has no `WebSocket` of its own; `ws` has one. Its name is a parameter, so that no bundler looks for it. */
export async function openWebSocket(url: string, protocols: string[], name = 'ws'): Promise<SocketLike> {
  const { WebSocket: Socket } = 'WebSocket' in globalThis ? globalThis : await import(/* @vite-ignore */ name)
  return new (Socket as typeof WebSocket)(url, protocols)
}
