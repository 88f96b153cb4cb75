/** All scopes (contract §2). */
export const SCOPES = [
  'read:memory',
  'write:memory',
  'read:projects',
  'write:projects',
  'read:profile',
  'write:profile',
  'read:events',
  'write:events',
  'read:audit',
  'admin:workspace',
] as const
export type Scope = (typeof SCOPES)[number]

export type CredentialKind = 'key' | 'access' | 'session'

/** What a key may touch at most, besides its scopes; its owner's roles bound it as well. */
export interface KeyPermission {
  project_id: string
  access: 'read' | 'write'
  namespaces?: string[] | undefined
}

/** Who calls. The user's hub settles it once a request. Roles are not in it: every statement joins the current ones. */
export interface Principal {
  userId: string
  tenantId: string
  routingId: string
  /** A person, or the service account of a workspace key. */
  kind: 'person' | 'service'
  credential: {
    kind: CredentialKind
    id: string
    environment: 'live' | 'test' | null
    /** The application and the grant behind an access token. */
    appId: string | null
    grantId: string | null
  }
  scopes: readonly Scope[]
  /** null: all that the owner may use. */
  permissions: readonly KeyPermission[] | null
  defaultProjectId: string | null
}

/** What a request comes through: the id of a key, the `client_id` of an application, or `session`. */
export const viaOf = ({ credential }: Pick<Principal, 'credential'>): string =>
  credential.kind === 'session' ? 'session' : (credential.appId ?? credential.id)
