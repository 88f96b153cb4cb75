/** A response of 64 KiB of JSON at a time that never ends, and how much of it was taken. */
export function endlessResponse(): { response: Response; taken(): number; cancelled(): boolean } {
  const part = new TextEncoder().encode(`[${'0,'.repeat(32_000)}`)
  let taken = 0
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += part.byteLength
      controller.enqueue(part)
    },
    cancel: () => {
      cancelled = true
    },
  })
  return { response: new Response(body), taken: () => taken, cancelled: () => cancelled }
}
