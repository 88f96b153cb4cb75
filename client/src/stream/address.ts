import { errorOf, problemOf } from '../errors.ts'
import type { ListenOptions } from './listen-options.ts'

/** What the service takes. It refuses the rest before the upgrade, and a WebSocket does not tell why (contract §5). */
export const FORMS = {
  channels: /^[a-z][a-z0-9-]{0,63}(,[a-z][a-z0-9-]{0,63}){0,31}$/,
  client_id: /^[!-~]{1,128}$/,
  last_event_id: /^[!-~]{1,64}$/,
}

/** The address of a stream that resumes after `lastEventId`. Fails with 422, as the service does. */
export function addressOf(
  url: string,
  { channels, clientId }: Pick<ListenOptions, 'channels' | 'clientId'>,
  lastEventId: string | null,
): string {
  const query = new URLSearchParams({ channels: channels.join() })
  if (clientId !== undefined) query.set('client_id', clientId)
  if (lastEventId !== null) query.set('last_event_id', lastEventId)
  for (const [name, value] of query)
    if (!FORMS[name as keyof typeof FORMS].test(value))
      throw errorOf(problemOf('stream_ended', `${name} cannot be "${value}".`, 422))
  return `${url}?${query.toString()}`
}
