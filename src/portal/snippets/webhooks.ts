import type { Snippet } from './requests.ts'

/** How a receiver checks what it got: with the client, and with the library of Standard Webhooks. */
export const VERIFICATION: readonly Snippet[] = [
  {
    language: 'TypeScript',
    text: `import { verifyWebhook } from 'recollect'

export default {
  async fetch(request: Request): Promise<Response> {
    const { events } = await verifyWebhook(request, process.env.SIGNING_SECRET!)
    for (const event of events) console.log(event.type, event.data)
    return new Response(null, { status: 204 })
  },
}`,
  },
  {
    language: 'Python',
    text: `import os
from standardwebhooks import Webhook

# body: the bytes of the request, before any parsing
message = Webhook(os.environ["SIGNING_SECRET"]).verify(body, headers)
for event in message["events"]:
    print(event["type"], event["data"])`,
  },
]
