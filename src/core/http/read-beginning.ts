/**
 * Reads at most `maxBytes` of a response, whatever length it declares, and cancels the rest. `whole`: there was
 * no rest. Throws where `signal` aborts.
 */
export async function readBeginning(
  reply: Response,
  maxBytes: number,
  signal?: AbortSignal | null,
): Promise<{ text: string; whole: boolean }> {
  if (!reply.body) return { text: '', whole: true }
  const reader = reply.body.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  let whole = true
  try {
    while (left > 0 && whole) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) break
      whole = value.byteLength <= left
      const part = value.subarray(0, left)
      left -= part.byteLength
      text += decoder.decode(part, { stream: true })
    }
    if (left === 0 && whole) whole = (await reader.read()).done
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
  return { text, whole }
}
