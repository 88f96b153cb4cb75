declare module 'simple-oauth2' {
  interface AccessToken {
    token: { access_token: string; refresh_token: string; token_type: string; expires_in: number }
    expired(): boolean
    refresh(params?: { scope?: string }): Promise<AccessToken>
    revokeAll(): Promise<void>
  }
  export class AuthorizationCode {
    constructor(config: {
      client: { id: string; secret: string }
      auth: { tokenHost: string; tokenPath: string; authorizePath: string; revokePath: string }
      options?: { authorizationMethod?: 'header' | 'body'; bodyFormat?: 'form' | 'json' }
    })
    authorizeURL(params: { redirect_uri: string; scope: string; state: string }): string
    getToken(params: { code: string; redirect_uri: string }): Promise<AccessToken>
  }
}

declare module 'passport-oauth2' {
  interface Tokens {
    accessToken: string
    refreshToken: string
  }
  type Verify = (
    accessToken: string,
    refreshToken: string,
    profile: object,
    done: (error: Error | null, user: Tokens) => void,
  ) => void
  export default class Strategy {
    constructor(
      options: {
        authorizationURL: string
        tokenURL: string
        clientID: string
        clientSecret: string
        callbackURL: string
        scope: string[]
        state: boolean
        pkce: boolean
      },
      verify: Verify,
    )
    authenticate(request: object, options?: object): void
    redirect(url: string): void
    success(user: Tokens): void
    fail(challenge: unknown): void
    error(error: Error): void
  }
}
