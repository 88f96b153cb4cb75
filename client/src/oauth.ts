import { Http } from './http.ts'
import type { ClientOptions, TokenSource } from './options.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
}

export interface OAuthOptions extends Omit<ClientOptions, 'credential'> {
  clientId: string
  /** Of a confidential application. Never in code that a browser loads. */
  clientSecret?: string
  tokens: Tokens
  /** Keep what it gets: the old refresh token is spent. The call that needed it waits until this has ended. */
  onTokens: (tokens: Tokens) => void | Promise<void>
}

/** An access token that is refreshed where it is refused: `credential: { accessToken: refreshingToken({ … }) }`. */
export function refreshingToken({ clientId, clientSecret, tokens, onTokens, ...options }: OAuthOptions): TokenSource {
  const http = new Http(options)
  let current = tokens
  let refreshing: Promise<string> | null = null
  const refresh = async (): Promise<string> => {
    const { data } = await http.send<Tokens>({
      method: 'POST',
      path: '/auth/token',
      body: {
        grant_type: 'refresh_token',
        refresh_token: current.refresh_token,
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      },
    })
    current = { access_token: data.access_token, refresh_token: data.refresh_token }
    await onTokens(current)
    return current.access_token
  }
  return async (refused) => {
    // Another call has refreshed it, or is about to: a refresh token works once for all who share it.
    if (refused !== current.access_token) return (await refreshing) ?? current.access_token
    refreshing ??= refresh().finally(() => (refreshing = null))
    return refreshing
  }
}
