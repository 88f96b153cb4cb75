// Made from docs/openapi.json and docs/asyncapi.json by `npm run docs`. Do not edit. ef3347eff2c25df3
export interface paths {
  '/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Log in */
    post: operations['logIn']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Log out */
    post: operations['logOut']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/users/me/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Change the password */
    post: operations['changePassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List your sessions */
    get: operations['listSessions']
    put?: never
    post?: never
    /** End all other sessions */
    delete: operations['revokeOtherSessions']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/sessions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a session */
    get: operations['getSession']
    put?: never
    post?: never
    /** End a session */
    delete: operations['revokeSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/token': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Exchange a code or a refresh token */
    post: operations['requestToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/revoke': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Revoke a token */
    post: operations['revokeToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/introspect': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Introspect a token */
    post: operations['introspectToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/register': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Register an application */
    post: operations['registerApp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/oauth-authorization-server': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Describe the authorization server */
    get: operations['getAuthorizationServerMetadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/oauth-authorization-server/auth': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Describe the authorization server to a client that uses /auth as its issuer */
    get: operations['getAuthorizationServerMetadataOfAuthUrl']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/oauth-protected-resource': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Describe the API as a protected resource */
    get: operations['getProtectedResourceMetadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/oauth-protected-resource/mcp': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Describe the agent path as a protected resource */
    get: operations['getAgentResourceMetadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/.well-known/oauth-protected-resource/mcp/{project_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Describe the agent path of a project as a protected resource */
    get: operations['getProjectAgentResourceMetadata']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/apps': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List your OAuth applications */
    get: operations['listApps']
    put?: never
    /** Create an OAuth application */
    post: operations['createApp']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/apps/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get an OAuth application */
    get: operations['getApp']
    put?: never
    post?: never
    /** Delete an OAuth application */
    delete: operations['deleteApp']
    options?: never
    head?: never
    /** Change an OAuth application */
    patch: operations['updateApp']
    trace?: never
  }
  '/v1/apps/{id}/rotate-secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Rotate the secret of an OAuth application */
    post: operations['rotateAppSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/grants': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the access that you granted to applications */
    get: operations['listGrants']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/grants/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a grant */
    get: operations['getGrant']
    put?: never
    post?: never
    /** Revoke a grant */
    delete: operations['revokeGrant']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/register-user': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Sign up */
    post: operations['registerUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/users/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get your profile */
    get: operations['getMe']
    put?: never
    post?: never
    /** Delete your account */
    delete: operations['deleteMe']
    options?: never
    head?: never
    /** Change your profile */
    patch: operations['updateMe']
    trace?: never
  }
  '/v1/users/me/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Export your personal data */
    get: operations['exportMe']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/tenant': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get your tenant */
    get: operations['getTenant']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/tenant/owner': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Hand the tenant over */
    post: operations['handOverTenant']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/tenant/people': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the people in your tenant */
    get: operations['listPeople']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/tenant/people/{user_id}/reset-link': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Create a password reset link for a person in your tenant */
    post: operations['makeResetLinkForPerson']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/api-keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List API keys */
    get: operations['listApiKeys']
    put?: never
    /** Create an API key */
    post: operations['createApiKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/api-keys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get an API key */
    get: operations['getApiKey']
    put?: never
    post?: never
    /** Revoke an API key */
    delete: operations['revokeApiKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/api-keys/{id}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Rotate an API key */
    post: operations['rotateApiKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read the audit log */
    get: operations['listAuditRows']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/usage/series': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read your usage over time */
    get: operations['getUsageSeries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List workspaces */
    get: operations['listWorkspaces']
    put?: never
    /** Create a workspace */
    post: operations['createWorkspace']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a workspace */
    get: operations['getWorkspace']
    put?: never
    post?: never
    /** Delete a workspace */
    delete: operations['deleteWorkspace']
    options?: never
    head?: never
    /** Rename a workspace */
    patch: operations['updateWorkspace']
    trace?: never
  }
  '/v1/workspaces/{id}/members': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List members */
    get: operations['listMembers']
    put?: never
    /** Invite a member */
    post: operations['inviteMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces/{id}/members/{user_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /** Remove a member, or leave */
    delete: operations['removeMember']
    options?: never
    head?: never
    /** Change a member's role */
    patch: operations['changeMemberRole']
    trace?: never
  }
  '/v1/workspaces/{id}/members/{user_id}/reset-link': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Create a password reset link for a member */
    post: operations['makeResetLinkForMember']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/auth/reset-password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Set a new password with a reset link */
    post: operations['resetPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces/{id}/invitations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List open invitations */
    get: operations['listInvitations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces/{id}/invitations/{invitation_id}/renew': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Renew an invitation */
    post: operations['renewInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/workspaces/{id}/invitations/{invitation_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /** Withdraw an invitation */
    delete: operations['withdrawInvitation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/invitations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List your invitations */
    get: operations['listReceivedInvitations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/invitations/{id}/accept': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Accept an invitation */
    post: operations['acceptInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/invitations/{id}/refuse': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Refuse an invitation */
    post: operations['refuseInvitation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Create a project */
    post: operations['createProject']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/projects/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /** Delete a project */
    delete: operations['deleteProject']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/projects': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List projects */
    get: operations['listProjects']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/projects/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a project */
    get: operations['getProject']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /** Change a project */
    patch: operations['updateProject']
    trace?: never
  }
  '/v1/names': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Get the names of ids */
    post: operations['listNames']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/publish': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Publish an event */
    post: operations['publishEvent']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/subscriptions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List subscriptions */
    get: operations['listSubscriptions']
    put?: never
    /** Subscribe a webhook */
    post: operations['createSubscription']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a subscription */
    get: operations['getSubscription']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /** Pause, resume or change a subscription */
    patch: operations['updateSubscription']
    trace?: never
  }
  '/api/events/subscriptions/{subscription_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /** Delete a subscription */
    delete: operations['deleteSubscription']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Show the signing secret */
    get: operations['getSubscriptionSecret']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}/secret/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Rotate the signing secret */
    post: operations['rotateSubscriptionSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Send a test event */
    post: operations['testSubscription']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List deliveries */
    get: operations['listDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/deliveries/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a delivery */
    get: operations['getDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/deliveries/{id}/attempts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the attempts of a delivery */
    get: operations['listDeliveryAttempts']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/deliveries/{id}/request': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Show what a delivery sends */
    get: operations['getDeliveryRequest']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/deliveries/{id}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Send a delivery again */
    post: operations['retryDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/subscriptions/{id}/recover': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Recover deliveries after an outage */
    post: operations['recoverDeliveries']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/events/delivery-series': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read deliveries over time */
    get: operations['getDeliverySeries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-reference/asyncapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** AsyncAPI document of the events */
    get: operations['getAsyncApiDocument']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/memory/store': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Store a memory item */
    post: operations['storeMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/memory/search': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Search by keyword and by meaning */
    post: operations['searchMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/memory/retrieve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Retrieve a memory item by its id */
    get: operations['retrieveMemory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/recall': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Recall for a model */
    post: operations['recallMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/items': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List memory items */
    get: operations['listMemories']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/namespaces': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List namespaces */
    get: operations['listNamespaces']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/subjects': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List subjects */
    get: operations['listSubjects']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/items/{id}/embed': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Embed a memory item again */
    post: operations['embedMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/memory/batch': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Run up to 50 operations */
    post: operations['batchMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/items/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Retrieve a memory item at its own path */
    get: operations['getMemory']
    put?: never
    post?: never
    /** Delete a memory item */
    delete: operations['deleteMemory']
    options?: never
    head?: never
    /** Update a memory item */
    patch: operations['updateMemory']
    trace?: never
  }
  '/v1/memory/items/{id}/retire': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Retire a memory item */
    post: operations['retireMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/items/{id}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Restore a retired memory item */
    post: operations['restoreMemory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/items/{id}/versions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List earlier texts */
    get: operations['listMemoryVersions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Delete items by filter */
    post: operations['deleteMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Export memory items */
    get: operations['exportMemories']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Import memory items */
    post: operations['importMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/ingest': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Store messages of a conversation */
    post: operations['storeMessages']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/conversations': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List conversations */
    get: operations['listConversations']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/memory/conversations/{conversation_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the turns of a conversation */
    get: operations['getConversation']
    put?: never
    post?: never
    /** Delete a conversation */
    delete: operations['deleteConversation']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/usage': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read your usage */
    get: operations['getUsage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/projects/{id}/retention/apply': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Apply retention to current items */
    post: operations['applyRetention']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/erasures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the receipts of erasures */
    get: operations['listErasures']
    put?: never
    /** Erase a subject or a namespace with a receipt */
    post: operations['eraseMemories']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/erasures/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get the receipt of an erasure */
    get: operations['getErasure']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/realtime': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Listen to events over WebSocket */
    get: operations['listenToEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Listen to events over WebSocket, under /api */
    get: operations['listenToEventStream']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/llms.txt': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** What an agent needs to know to connect */
    get: operations['getLlmsTxt']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/operator/limits': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List subjects with limits of their own */
    get: operations['listLimits']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/v1/operator/limits/{subject}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read the limits of the deployment, a tenant, a user or a key */
    get: operations['getLimits']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /** Set limits of the deployment, a tenant, a user or a key */
    patch: operations['updateLimits']
    trace?: never
  }
  '/v1/operator/changes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List changes made by operators */
    get: operations['listOperatorChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Links to the documents */
    get: operations['getLandingPage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Is the service alive? */
    get: operations['getHealth']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ready': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Is the service ready to serve requests? */
    get: operations['getReadiness']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-reference/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** This document */
    get: operations['getOpenApiDocument']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-reference': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** The API reference, to read and try out */
    get: operations['getReferencePage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-reference/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Every event and how it arrives, for reading */
    get: operations['getEventsPage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api-reference/errors': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Every error code, its cause and how to fix it */
    get: operations['getErrorsPage']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    BatchStore: {
      /** @constant */
      op: 'store'
      content:
        | string
        | {
            text: string
            type?: string
            /** @description At most 16 KiB as JSON, depth 8. */
            metadata?: {
              [key: string]: unknown
            }
          }
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string
        conversation_id?: string | null
        document_id?: string | null
        session_id?: string | null
        subject?: string | null
      }
      tags?: string[]
      ttl?: number | null
      occurred_at?: string | null
      custom_id?: string | null
      /** @enum {string} */
      visibility?: 'project' | 'private'
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      deduplicate?: boolean
      /** @description Items that this one replaces: they are retired in the same commit. */
      supersedes?: (
        | string
        | {
            id: string
            /** @description The version that you read. */
            if_version?: number
          }
      )[]
      supersede_reason?: string | null
    }
    BatchUpdate: {
      /** @constant */
      op: 'update'
      id: string
      content?:
        | string
        | {
            text?: string
            type?: string
            /** @description At most 16 KiB as JSON, depth 8. */
            metadata?: {
              [key: string]: unknown
            }
          }
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string
        conversation_id?: string | null
        document_id?: string | null
        session_id?: string | null
        subject?: string | null
      }
      tags?: string[]
      ttl?: number | null
      occurred_at?: string | null
      custom_id?: string | null
      /** @enum {string} */
      visibility?: 'project' | 'private'
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      /** @description Whether `content.metadata` changes only the keys that it names. null removes a key. */
      merge_metadata?: boolean
    }
    BatchDelete: {
      /** @constant */
      op: 'delete'
      id: string
    }
    BatchRetire: {
      /** @constant */
      op: 'retire'
      id: string
      reason?: string | null
    }
    BatchRestore: {
      /** @constant */
      op: 'restore'
      id: string
    }
    BatchRetrieve: {
      /** @constant */
      op: 'retrieve'
      id: string
    }
    SessionToken: {
      /** @example rcs_… */
      session_token: string
      /**
       * @description Seconds.
       * @enum {number}
       */
      expires_in: 86400
      /**
       * @description Opaque, and not a credential. Send it with the next login from this device.
       * @example rcd_…
       */
      device_token: string
    }
    /** @description RFC 9457 problem details. More members may be added. */
    Problem: {
      /**
       * Format: uri
       * @description A link to the explanation of the code in `/api-reference/errors`.
       */
      type: string
      title: string
      status: number
      detail: string
      /** @enum {string} */
      code:
        | 'invalid_json'
        | 'conflicting_credentials'
        | 'unauthenticated'
        | 'invalid_token'
        | 'insufficient_scope'
        | 'forbidden'
        | 'session_required'
        | 'user_context_required'
        | 'quota_exceeded'
        | 'not_found'
        | 'method_not_allowed'
        | 'conflict'
        | 'custom_id_taken'
        | 'email_taken'
        | 'last_owner'
        | 'idempotency_mismatch'
        | 'idempotency_in_progress'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'validation_failed'
        | 'upgrade_required'
        | 'rate_limited'
        | 'internal'
        | 'dependency_unavailable'
      request_id: string
      /** @description With 422: up to 50 invalid fields, each with its dotted `path`. */
      errors?: {
        path: string
        code: string
        message: string
      }[]
      /** @description Number of invalid fields that `errors` does not list. */
      errors_omitted?: number
    }
    Session: {
      /** @example ses_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /** @description The `User-Agent` of the login. */
      user_agent: string
      /** @description Whether this is the session of the request. */
      current: boolean
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @description Accurate to the minute.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    TokenAnswer: {
      access_token: string
      /** @enum {string} */
      token_type: 'bearer'
      /** @enum {number} */
      expires_in: 3600
      refresh_token: string
      scope: string
    }
    /** @description RFC 6749 §5.2. */
    OAuthError: {
      error: string
      error_description?: string
    }
    TokenRequest: {
      /** @description `authorization_code` or `refresh_token`. */
      grant_type?: string
      /** @description The application. Optional with HTTP Basic. */
      client_id?: string
      /** @description The secret of a confidential application, unless it is in HTTP Basic. */
      client_secret?: string
      /** @description The authorization code. */
      code?: string
      /** @description The redirect URI from the authorization request. */
      redirect_uri?: string
      /** @description PKCE verifier (RFC 7636); required if a challenge was sent. */
      code_verifier?: string
      /** @description The refresh token, with `grant_type=refresh_token`. */
      refresh_token?: string
      /** @description Narrows the scopes of a refreshed access token; cannot widen them. */
      scope?: string
      /** @description Resource indicator (RFC 8707): an address of this service. It may be repeated. */
      resource?: string
    }
    RevokeRequest: {
      /** @description The access or refresh token. */
      token?: string
      /** @description Ignored: the token itself shows its type. */
      token_type_hint?: string
      /** @description The application. Optional with HTTP Basic. */
      client_id?: string
      /** @description The secret of a confidential application, unless it is in HTTP Basic. */
      client_secret?: string
    }
    Introspection: {
      active: boolean
      scope?: string
      client_id?: string
      /** @enum {string} */
      token_type?: 'bearer'
      sub?: string
      aud?: string
      iss?: string
      iat?: number
      exp?: number
    }
    IntrospectRequest: {
      /** @description The access or refresh token. */
      token?: string
      /** @description Ignored: the token itself shows its type. */
      token_type_hint?: string
      /** @description The application. Optional with HTTP Basic. */
      client_id?: string
      /** @description The secret of a confidential application, unless it is in HTTP Basic. */
      client_secret?: string
    }
    ClientRegistration: {
      client_id: string
      client_secret?: string
      /** @enum {number} */
      client_secret_expires_at?: 0
      client_id_issued_at: number
      client_name: string
      redirect_uris: string[]
      token_endpoint_auth_method: string
      grant_types: string[]
      response_types: string[]
      scope: string
    }
    RegisterRequest: {
      redirect_uris?: string[] | null
      client_name?: string | null
      token_endpoint_auth_method?: string | null
      grant_types?: string[] | null
      response_types?: string[] | null
      scope?: string | null
    }
    AuthorizationServerMetadata: {
      issuer: string
      authorization_endpoint: string
      token_endpoint: string
      revocation_endpoint: string
      introspection_endpoint: string
      registration_endpoint?: string
      client_id_metadata_document_supported?: boolean
      scopes_supported: string[]
      response_types_supported: string[]
      response_modes_supported: string[]
      grant_types_supported: string[]
      token_endpoint_auth_methods_supported: string[]
      revocation_endpoint_auth_methods_supported: string[]
      introspection_endpoint_auth_methods_supported: string[]
      code_challenge_methods_supported: string[]
      authorization_response_iss_parameter_supported: boolean
      service_documentation: string
    }
    ProtectedResourceMetadata: {
      resource: string
      resource_name: string
      authorization_servers: string[]
      scopes_supported: string[]
      bearer_methods_supported: string[]
      resource_documentation: string
    }
    ApplicationWithSecret: components['schemas']['Application'] & {
      /** @description Shown once; null for a public application. */
      client_secret: string | null
    }
    Application: {
      /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      client_id: string
      name: string
      /** @enum {string} */
      type: 'confidential' | 'public'
      redirect_uris: string[]
      scopes: (
        | 'read:memory'
        | 'write:memory'
        | 'read:projects'
        | 'write:projects'
        | 'read:profile'
        | 'write:profile'
        | 'read:events'
        | 'write:events'
        | 'read:audit'
        | 'admin:workspace'
      )[]
      require_pkce: boolean
      refresh_grace_seconds: number
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
    }
    Grant: {
      /** @example grt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      application: {
        /**
         * @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         * @example https://agent.example/client.json
         */
        client_id: string
        name: string
      }
      scopes: (
        | 'read:memory'
        | 'write:memory'
        | 'read:projects'
        | 'write:projects'
        | 'read:profile'
        | 'write:profile'
        | 'read:events'
        | 'write:events'
        | 'read:audit'
        | 'admin:workspace'
      )[]
      /** @description Whether the application registered itself, is a metadata document, or has tokens that work only at `/mcp`. */
      agent: boolean
      /**
       * @description The only project that its tokens reach, at `/mcp/{project_id}`; null if they are not bound to one.
       * @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG
       */
      project_id: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string
    }
    Registration: components['schemas']['SessionToken'] & {
      user: components['schemas']['User']
    }
    User: {
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      email: string
      name: string
      avatar_url: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      settings: {
        /** @enum {string} */
        theme: 'light' | 'dark' | 'system'
        language: string
        notifications: {
          email: boolean
          push: boolean
        }
      }
      /**
       * @description Where the tenant is stored. Only for the owner of the tenant, in a deployment with regions.
       * @enum {string}
       */
      region?: 'wnam' | 'enam' | 'weur' | 'eeur' | 'apac' | 'oc'
    }
    UserOrWritten: components['schemas']['User'] | components['schemas']['UserWritten']
    /** @description The answer to a write by a caller who may not read the resource. */
    UserWritten: {
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      email?: never
      name?: never
      avatar_url?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      settings?: never
      region?: never
    }
    ProfileChanges: {
      name?: string
      /** @description An HTTPS URL, or an empty string for none. */
      avatar_url?: string
      settings?: {
        /** @enum {string} */
        theme?: 'light' | 'dark' | 'system'
        /** @example en-US */
        language?: string
        notifications?: {
          email?: boolean
          push?: boolean
        }
      }
    }
    PersonalData: {
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      exported_at: string
      user: components['schemas']['User']
      workspaces: {
        id: string
        name: string
        /** @enum {string} */
        role: 'owner' | 'admin' | 'editor' | 'viewer'
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        joined_at: string
      }[]
      projects: {
        id: string
        name: string
        workspace_id: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        created_at: string
        /** @description The path that exports the items of the project. */
        items: string
      }[]
      api_keys: {
        id: string
        name: string
        scopes: string[]
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        created_at: string
      }[]
      sessions: {
        id: string
        user_agent: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        created_at: string
      }[]
      applications: {
        client_id: string
        name: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        created_at: string
      }[]
      grants: {
        id: string
        application: string
        scopes: string[]
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        created_at: string
      }[]
    }
    Tenant: {
      /** @example ten_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /**
       * @description The person who signed up, or the one who took over the tenant. Null if that person left long ago.
       * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
       */
      owner_id: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
    }
    Person: {
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      user_id: string
      email: string
      name: string
      avatar_url: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
    }
    ResetLink: {
      /** @description Shown in this response only. Works once. */
      reset_url: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    ApiKeyWithSecret: components['schemas']['ApiKey'] & {
      /**
       * @description The secret, shown in this response only.
       * @example rck_live_…
       */
      key: string | null
    }
    KeyPermission: {
      project_id: string
      /** @enum {string} */
      access: 'read' | 'write'
      namespaces?: string[]
    }
    ApiKey: {
      /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      name: string
      /** @enum {string} */
      prefix: 'rck_live_' | 'rck_test_'
      last_four: string
      /** @enum {string} */
      environment: 'live' | 'test'
      /** @enum {string} */
      owner: 'user' | 'workspace'
      /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      workspace_id: string | null
      scopes: (
        | 'read:memory'
        | 'write:memory'
        | 'read:projects'
        | 'write:projects'
        | 'read:profile'
        | 'write:profile'
        | 'read:events'
        | 'write:events'
        | 'read:audit'
        | 'admin:workspace'
      )[]
      permissions: components['schemas']['KeyPermission'][] | null
      /** @enum {string} */
      status: 'active' | 'rotating' | 'expired' | 'revoked'
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      created_by: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null
      /**
       * Format: date-time
       * @description When the key was revoked, or when its rotation will end it.
       * @example 2026-11-21T09:30:00.000Z
       */
      revoked_at: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null
      /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      rotated_to: string | null
    }
    AuditRow: {
      /** @example aud_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      at: string
      actor: string
      credential: {
        kind: string
        id: string
        environment: string | null
        app_id: string | null
      }
      action: string
      resource_ids: string[]
      project_id: string | null
      workspace_id: string | null
      /** @description `success`, or the error code of the API or of OAuth. */
      outcome: string
      request_id: string
      /** @description The portal made this read to show a page to its user. */
      page_read: boolean
    }
    UsageSeries: {
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      until: string
      /** @enum {string} */
      step: 'hour' | 'day'
      /** @enum {string} */
      by: 'operation' | 'credential' | 'project' | 'outcome'
      /** @enum {string} */
      whose: 'tenant' | 'user'
      /** @description Inclusive upper bounds of the first 10 buckets of `durations`. The last bucket has no bound. */
      bounds_ms: number[]
      data: {
        /**
         * Format: date-time
         * @description Start of the step.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string
        /** @description An operation, an outcome, a project, or a credential: the id of a key or an application, else `session` or `portal`. `none`: no project. `other`: everything that is not listed separately. */
        name: string
        requests: number
        /** @description 4xx without 429. */
        refusals: number
        /** @description 429. */
        limited: number
        /** @description 5xx. */
        failures: number
        /** @description Sum of the durations. */
        total_ms: number
        /** @description Number of requests in each bucket of duration. */
        durations: number[]
      }[]
      /** @description The highest number of items of the tenant seen waiting for their embedding in each step. Null if the caller cannot see figures of the tenant. */
      embedding_backlog:
        | {
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            at: string
            waiting: number
            /** @description The count stopped at 100000 items of all tenants: there are `waiting` or more. */
            truncated?: boolean
          }[]
        | null
    }
    WorkspaceOrWritten: components['schemas']['Workspace'] | components['schemas']['WorkspaceWritten']
    Workspace: {
      /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      name: string
      /**
       * @description The role of the caller.
       * @enum {string}
       */
      role: 'owner' | 'admin' | 'editor' | 'viewer'
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      created_by: string
    }
    /** @description The answer to a write by a caller who may not read the resource. */
    WorkspaceWritten: {
      /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      name?: never
      role?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      created_by?: never
    }
    Member: {
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      user_id: string
      /**
       * @description `service`: the account of the workspace's keys.
       * @enum {string}
       */
      kind: 'person' | 'service'
      email: string
      name: string
      avatar_url: string
      /** @enum {string} */
      role: 'owner' | 'admin' | 'editor' | 'viewer'
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      joined_at: string
    }
    MemberOrWritten: components['schemas']['Member'] | components['schemas']['MemberWritten']
    /** @description The answer to a write by a caller who may not read the resource. */
    MemberWritten: {
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      user_id: string
      kind?: never
      email?: never
      name?: never
      avatar_url?: never
      role?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      joined_at: string
    }
    PasswordReset: {
      /**
       * @description Opaque, and not a credential. Send it with the next login from this device.
       * @example rcd_…
       */
      device_token: string
    }
    InvitationWithLink: {
      /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      invitation_id: string
      /** @description Shown in this response only. */
      invitation_url: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    Invitation: {
      /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      email: string
      /** @enum {string} */
      role: 'owner' | 'admin' | 'editor' | 'viewer'
      created_by: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    ReceivedInvitation: {
      /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      workspace_id: string
      workspace_name: string
      /** @enum {string} */
      role: 'owner' | 'admin' | 'editor' | 'viewer'
      /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      invited_by: string
      invited_by_name: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    ProjectOrWritten: components['schemas']['Project'] | components['schemas']['ProjectWritten']
    Project: {
      /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      name: string
      description: string
      /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      workspace_id: string
      icon: string
      guard: components['schemas']['ProjectGuard']
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      created_by: string
      /** @description Rules for the expiry of items. Absent for a key that is limited to namespaces. */
      retention?: components['schemas']['RetentionRule'][]
    }
    /** @description What happens to a secret in a write: it is left, reported, replaced, or refused. */
    ProjectGuard: {
      secrets: {
        /**
         * @description Secrets in what a client writes itself.
         * @enum {string}
         */
        direct: 'off' | 'flag' | 'redact' | 'refuse'
        /**
         * @description Secrets in turns of conversations that nobody looks through.
         * @enum {string}
         */
        unattended: 'off' | 'flag' | 'redact' | 'refuse'
      }
      /**
       * @description Numbers of payment cards.
       * @enum {string}
       */
      cards: 'off' | 'flag' | 'redact' | 'refuse'
      /**
       * @description Numbers of bank accounts.
       * @enum {string}
       */
      ibans: 'off' | 'flag' | 'redact' | 'refuse'
    }
    RetentionRule: {
      /** @description Items in this namespace and those below it. With a trailing `:`, only those below it. */
      namespace_prefix?: string
      /** @description Items with one of these tags. */
      tags?: string[]
      /**
       * @description Items with this scope.
       * @enum {string}
       */
      scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
      /** @description Seconds that a new item without a `ttl` gets, unless it has the tag `pinned`. */
      default_ttl?: number
      /** @description The longest `ttl`. A longer one, and none, become it. */
      max_ttl?: number
    }
    /** @description The answer to a write by a caller who may not read the resource. */
    ProjectWritten: {
      /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      name?: never
      description?: never
      workspace_id?: never
      icon?: never
      guard?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      created_by?: never
      retention?: never
    }
    ProjectChanges: {
      name?: string
      description?: string
      icon?: string
      /** @description Rules for the expiry of items, the first that fits decides. They act on later writes. */
      retention?: components['schemas']['RetentionRule'][]
      guard?: components['schemas']['ProjectGuardChanges']
    }
    ProjectGuardChanges: {
      secrets?: {
        /**
         * @description Secrets in what a client writes itself.
         * @enum {string}
         */
        direct?: 'off' | 'flag' | 'redact' | 'refuse'
        /**
         * @description Secrets in turns of conversations that nobody looks through.
         * @enum {string}
         */
        unattended?: 'off' | 'flag' | 'redact' | 'refuse'
      }
      /**
       * @description Numbers of payment cards.
       * @enum {string}
       */
      cards?: 'off' | 'flag' | 'redact' | 'refuse'
      /**
       * @description Numbers of bank accounts.
       * @enum {string}
       */
      ibans?: 'off' | 'flag' | 'redact' | 'refuse'
    }
    Names: {
      names: {
        [key: string]: components['schemas']['Name'] | null
      }
    }
    Name: {
      name: string
      /**
       * @description `service`: the account of a workspace's keys.
       * @enum {string}
       */
      kind: 'person' | 'service' | 'key' | 'application' | 'project' | 'workspace'
    }
    PublishedEvent: {
      /** @example evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      event_id: string
      published: boolean
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      timestamp: string
      recipients: number
    }
    PublishEvent: {
      type: string
      channel?: string
      data: {
        [key: string]: unknown
      }
      workspace_id?: string
      project_id?: string
      targets?: string[]
    }
    Subscription: {
      /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      subscription_id: string
      channels: string[]
      /** @description Empty: all types on the channels. */
      events: string[]
      filters: {
        [key: string]: string
      }
      delivery: {
        /** @enum {string} */
        method: 'webhook'
        url: string
      }
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /** @enum {string} */
      status: 'active' | 'paused' | 'disabled'
      /** @enum {string} */
      disabled_reason?: 'gone' | 'failing' | 'credential_ended'
      /**
       * Format: date-time
       * @description Start of the first attempt of the current run of failures. Null after a success or a resume.
       * @example 2026-11-21T09:30:00.000Z
       */
      failing_since: string | null
      /** @description The attempt that started last, whatever its delivery. Null before the first one. */
      last_attempt: {
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string
        /** @description Of the response. Null if there was none. */
        status_code: number | null
        /** @description As in the attempts of a delivery. Null after a success. */
        error: string | null
      } | null
      /**
       * Format: date-time
       * @description When the receiver last accepted a delivery.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_success_at: string | null
      /** @description Deliveries that are held, due, being sent or to be sent again. 1000 stands for 1000 or more. */
      waiting: number
    }
    CreateSubscription: {
      channels: string[]
      events?: string[]
      filters?: {
        conversation_id?: string
        project_id?: string
        workspace_id?: string
        namespace?: string
        scope?: string
      }
      delivery: {
        /** @enum {string} */
        method: 'webhook'
        /**
         * Format: uri
         * @example https://example.com/hooks/recollect
         */
        url: string
        /** @description Sent with every request. Encrypted at rest and never shown again. */
        headers?: {
          [key: string]: string
        }
      }
    }
    Subscriptions: {
      subscriptions: components['schemas']['Subscription'][]
      total: number
      has_more: boolean
      next_cursor: string | null
    }
    SubscriptionOrWritten: components['schemas']['Subscription'] | components['schemas']['SubscriptionWritten']
    /** @description The answer to a write by a caller who may not read the resource. */
    SubscriptionWritten: {
      /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      subscription_id: string
      channels?: never
      events?: never
      filters?: never
      delivery?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      status?: never
      disabled_reason?: never
      failing_since?: never
      last_attempt?: never
      last_success_at?: never
      waiting?: never
    }
    UpdateSubscription: {
      /** @enum {string} */
      status?: 'active' | 'paused'
      channels?: string[]
      events?: string[]
      filters?: {
        conversation_id?: string
        project_id?: string
        workspace_id?: string
        namespace?: string
        scope?: string
      }
      delivery?: {
        /** @enum {string} */
        method?: 'webhook'
        /**
         * Format: uri
         * @example https://example.com/hooks/recollect
         */
        url?: string
        /** @description Sent with every request. Encrypted at rest and never shown again. */
        headers?: {
          [key: string]: string
        } | null
      }
    }
    DeletedSubscription: {
      /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      subscription_id: string
      deleted: boolean
    }
    SigningSecret: {
      /** @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD */
      secret: string
    }
    TestDelivery: {
      /** @example evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      event_id: string
      /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      delivery_id: string
    }
    Delivery: {
      /**
       * @description The `webhook-id` of its requests.
       * @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG
       */
      id: string
      /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      subscription_id: string
      /** @example evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      event_id: string
      event_type: string
      /** @enum {string} */
      status: 'waiting' | 'pending' | 'sending' | 'delivered' | 'failed' | 'expired'
      /** @description Failed and successful attempts in the current schedule. */
      attempts: number
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      next_attempt_at: string | null
      last_status_code: number | null
      last_error: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      delivered_at: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string
    }
    DeliveryAttempt: {
      /** @example att_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      delivery_id: string
      number: number
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      started_at: string
      duration_ms: number
      status_code: number | null
      error: string | null
      /** @description The beginning of the response, exactly as the receiver sent it: escape it before you show it. */
      response: string
    }
    DeliveryRequest: {
      /** @enum {string} */
      method: 'POST'
      /** @description The current address of the subscription. */
      url: string
      /** @description Signed with the time of this response if the caller can read the signing secret. */
      headers: {
        [key: string]: string
      }
      /** @description The names of the custom headers. Their values are not shown. */
      custom_headers: string[]
      /** @description Exactly the bytes that every attempt sends. */
      body: string
    }
    DeliveryOrWritten: components['schemas']['Delivery'] | components['schemas']['DeliveryWritten']
    /** @description The answer to a write by a caller who may not read the resource. */
    DeliveryWritten: {
      /**
       * @description The `webhook-id` of its requests.
       * @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG
       */
      id: string
      subscription_id?: never
      event_id?: never
      event_type?: never
      status?: never
      attempts?: never
      next_attempt_at?: never
      last_status_code?: never
      last_error?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      delivered_at?: never
      expires_at?: never
    }
    RecoveredDeliveries: {
      recovered: number
      has_more: boolean
    }
    RecoverDeliveries: {
      /** Format: date-time */
      since: string
      /** Format: date-time */
      until?: string
    }
    DeliverySeries: {
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      until: string
      /** @enum {string} */
      step: 'hour' | 'day'
      /** @description Inclusive upper bounds of the first 10 buckets of `latencies`. The last bucket has no bound. */
      bounds_ms: number[]
      /** @description Present if only the newest 5000 deliveries of a subscription, or only the newest 20 subscriptions, are included. */
      truncated: boolean
      data: {
        /**
         * Format: date-time
         * @description Start of the step. A delivery counts in the step in which it was created.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        subscription_id: string
        delivered: number
        failed: number
        expired: number
        /** @description Held, due, or being sent. */
        open: number
        /** @description Number of successful deliveries in each bucket of the time from the event to its acceptance. */
        latencies: number[]
      }[]
    }
    AsyncApiDocument: {
      /** @enum {string} */
      asyncapi: '2.6.0'
    } & {
      [key: string]: unknown
    }
    MemoryItemOrWritten: components['schemas']['MemoryItem'] | components['schemas']['MemoryItemWritten']
    MemoryItem: {
      /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      content: {
        text: string
        type: string
        metadata: {
          [key: string]: unknown
        }
      }
      context: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
        /** @enum {string} */
        scope: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        subject?: string
      }
      tags: string[]
      ttl: number | null
      custom_id: string | null
      /** @enum {string} */
      visibility: 'project' | 'private'
      /** @description Only on private items. */
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      /**
       * @description A `turn` is a message of a conversation; any other item is a `note`.
       * @enum {string}
       */
      kind: 'note' | 'turn'
      /** @description Who says a turn; null for a note. */
      role: ('user' | 'assistant' | 'system' | 'tool') | null
      /** @description The `name` of the message of a turn. */
      speaker: string | null
      /** @enum {string} */
      embedding_status: 'pending' | 'processing' | 'completed' | 'failed'
      embedding_model: string | null
      embedding_error: string | null
      version: number
      /**
       * Format: date-time
       * @description When it happened, according to the client.
       * @example 2026-11-21T09:30:00.000Z
       */
      occurred_at: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null
      created_by: string
      /** @description What stored it: the id of a key, the `client_id` of an application, or `session`; null if unknown. */
      created_via: string | null
      /** @description What wrote its text: the id of a key, the `client_id` of an application, or `session`; null if unknown. */
      text_via: string | null
      /**
       * @description A `retired` item is no longer true. No search finds it, and a read by its id and a list by `status` show it.
       * @enum {string}
       */
      status: 'current' | 'retired'
      /**
       * Format: date-time
       * @description Only on retired items, like the next two fields.
       * @example 2026-11-21T09:30:00.000Z
       */
      retired_at?: string
      retired_reason?: string | null
      /** @description The id of the item that superseded this one; `gone` if that was erased; null if there is none or you cannot read it. */
      superseded_by?: string | null
      /** @description Only if `deduplicate` found this item. */
      deduplicated?: boolean
      /** @description Only if the write held secrets: what was found and where, never the secret. */
      warnings?: {
        path: string
        /** @enum {string} */
        code: 'secret_found' | 'secret_redacted'
        /** @description Such as `github_token`, `private_key` or `card`. New kinds appear. */
        kind: string
        /** @description In characters of the value as it was sent. */
        start: number
        end: number
      }[]
      /** @description Warnings beyond the first 50. */
      warnings_omitted?: number
    }
    /** @description The answer to a write by a caller who may not read the resource. */
    MemoryItemWritten: {
      /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      content?: never
      context?: never
      tags?: never
      ttl?: never
      custom_id?: never
      visibility?: never
      permissions?: never
      kind?: never
      role?: never
      speaker?: never
      /** @enum {string} */
      embedding_status: 'pending' | 'processing' | 'completed' | 'failed'
      embedding_model?: never
      embedding_error?: never
      version: number
      occurred_at?: never
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      expires_at?: never
      created_by?: never
      created_via?: never
      text_via?: never
      /**
       * @description A `retired` item is no longer true. No search finds it, and a read by its id and a list by `status` show it.
       * @enum {string}
       */
      status: 'current' | 'retired'
      retired_at?: never
      retired_reason?: never
      superseded_by?: never
      deduplicated?: never
      /** @description Only if the write held secrets: what was found and where, never the secret. */
      warnings?: {
        path: string
        /** @enum {string} */
        code: 'secret_found' | 'secret_redacted'
        /** @description Such as `github_token`, `private_key` or `card`. New kinds appear. */
        kind: string
        /** @description In characters of the value as it was sent. */
        start: number
        end: number
      }[]
      /** @description Warnings beyond the first 50. */
      warnings_omitted?: number
    }
    MemoryItemStore: {
      content:
        | string
        | {
            text: string
            type?: string
            /** @description At most 16 KiB as JSON, depth 8. */
            metadata?: {
              [key: string]: unknown
            }
          }
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string
        conversation_id?: string | null
        document_id?: string | null
        session_id?: string | null
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string | null
      }
      tags?: string[]
      ttl?: number | null
      /**
       * Format: date-time
       * @description When it happened, in the years 0001 to 9999. A date means midnight UTC.
       * @example 2023-05-08T13:56:00Z
       */
      occurred_at?: string | null
      custom_id?: string | null
      /** @enum {string} */
      visibility?: 'project' | 'private'
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      deduplicate?: boolean
      /** @description Items that this one replaces: they are retired in the same commit. */
      supersedes?: (
        | string
        | {
            id: string
            /** @description The version that you read. */
            if_version?: number
          }
      )[]
      supersede_reason?: string | null
      /** @description How long to wait for the embedding. */
      wait_ms?: number
    }
    MemorySearchReply: {
      results: (components['schemas']['MemoryItem'] & {
        /** @description Cosine similarity; null if only keywords or neighbours in a conversation found the item. */
        similarity: number | null
        /** @description From 0 to 1: the weighted sum of the keyword score and the semantic score, raised for the speaker and the time that the query names and by neighbours in a conversation, and blended with `recency`. */
        score: number
        /** @description Score from the reranker. Its scale depends on the model, so compare it only within one response. */
        rerank_score?: number
        score_breakdown?: {
          /** @description Rank among the keyword matches considered, and the BM25 score relative to the highest score possible for the query. */
          keyword: {
            rank: number
            score: number
          } | null
          /** @description Rank among the semantic matches considered, cosine similarity, and semantic score. */
          semantic: {
            rank: number
            similarity: number
            score: number
          } | null
          /** @description Terms of the query that are too common to be read: they count nowhere. */
          terms_left_out: number
          /** @description The weights that were used. They add up to 1. */
          weights: {
            keyword: number
            semantic: number
          }
          /** @description What each part adds to `score`: its weight times its score, what the speaker and the time that the query names add, and what the neighbours in the conversation lend. A keyword match that is not a semantic match gets a share of the last semantic match. */
          contributions: {
            keyword: number
            semantic: number
            speaker: number
            date: number
            neighbor: number
          }
          /** @description Only with `recency`: score = (1 − weight) · the sum of the contributions, at most 1, + weight · this score. */
          recency?: {
            weight: number
            score: number
          }
        }
        snippet: string
        /** @description Only with `neighbors`, in order of occurrence. */
        neighbors?: {
          /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
          id: string
          /** @description Position: -1 is the item directly before the result, 1 the item directly after it. */
          offset: number
          /** @description Its first 2000 characters. */
          text: string
          /** @description Only if the text is longer. */
          truncated?: boolean
          /**
           * Format: date-time
           * @example 2026-11-21T09:30:00.000Z
           */
          occurred_at: string | null
          /**
           * Format: date-time
           * @example 2026-11-21T09:30:00.000Z
           */
          created_at: string
        }[]
      })[]
      /** @description Only if results were omitted because of `max_tokens` or the limit of 2 MiB of texts and metadata. */
      truncated?: boolean
      /** @description Matches among the candidates considered. */
      total: number
      /** @enum {string} */
      mode: 'hybrid' | 'semantic' | 'keyword'
      interpreted: {
        /** @description As the query says it. */
        text: string
        /**
         * Format: date-time
         * @description The first instant of that time.
         * @example 2026-11-21T09:30:00.000Z
         */
        after: string
        /**
         * Format: date-time
         * @description The first instant after that time.
         * @example 2026-11-21T09:30:00.000Z
         */
        before: string
        /** @description Only if a month or day has no year: every year counts, and `after` and `before` are of the latest. */
        every_year?: boolean
      } | null
      /** @description Items in scope that are waiting for their embedding, counted up to 1,000. */
      pending: number
      took_ms: number
      query_vector_id: string | null
      /** @enum {string} */
      degraded?: 'semantic_unavailable'
      rerank?: {
        applied: boolean
        /**
         * @description Only if reranking was not applied: the reranker failed, was late or returned no usable scores, or other searches of the same user or tenant kept it busy.
         * @enum {string}
         */
        reason?: 'unavailable' | 'late' | 'unusable' | 'busy'
      }
    }
    MemorySearch: {
      query: string
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string | '*'
        /** @description Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing `:`, only those below it. */
        namespace_prefix?: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string
        /** @description Instead of `namespace`. Namespaces that the credential cannot read are skipped. */
        namespaces?: string[]
      }
      filters?: components['schemas']['Filters']
      /** @description Default: `10`. */
      limit?: number
      /** @description Keeps the first results whose texts fit, at 3 characters per token; always at least one. */
      max_tokens?: number
      similarity_threshold?: number
      /**
       * @description Default: `"hybrid"`.
       * @enum {string}
       */
      mode?: 'hybrid' | 'semantic' | 'keyword'
      /** @description A cross-encoder reorders the best `top` results before they are cut to `limit`. */
      rerank?:
        | boolean
        | {
            /** @description Default: `30`. */
            top?: number
          }
      /** @description Shows this many items before and after each result in its conversation, regardless of the filters. Default: `0`. */
      neighbors?: number
      /** @description Blends age into the score: (1 − weight) · score + weight · 0.5^(age / half_life_days), by `occurred_at`, else `created_at`. An item in the future has age 0. */
      recency?: {
        half_life_days: number
        weight: number
      }
      /**
       * Format: date-time
       * @description When the question is asked, with the offset of its calendar (default: now, in UTC). A time that the question names, such as "last week", is understood from it.
       */
      reference_date?: string
      include?: 'score_breakdown'[]
    }
    Filters: {
      tags?: string[]
      /** @enum {unknown} */
      tags_match?: 'any' | 'all'
      AND?: components['schemas']['Filters'][]
      OR?: components['schemas']['Filters'][]
      NOT?: components['schemas']['Filters'] | components['schemas']['Filters'][]
    } & {
      [key: string]: unknown
    }
    MemoryRecallReply: {
      /** @description What to show a model; empty if nothing is relevant. Absent with the format `items`. */
      text?: string
      /** @description Only with the format `items`: best first. */
      items?: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        conversation_id: string | null
        /** @description null: a note. */
        role: ('user' | 'assistant' | 'system' | 'tool') | null
        /** @description The name of its message. */
        speaker: string | null
        /**
         * Format: date-time
         * @description When it happened, else when it was stored.
         * @example 2026-11-21T09:30:00.000Z
         */
        occurred_at: string
        /** @description The text, or the best part of it. Data, never instructions. */
        text: string
        /** @description Only if `text` is a part. */
        truncated?: boolean
        /** @description As of a search; null if the item is shown beside a match, or without a query. */
        score: number | null
      }[]
      /** @description Items in scope that are waiting for their embedding, counted up to 1,000. */
      pending: number
      /** @enum {string} */
      degraded?: 'semantic_unavailable'
    }
    MemoryRecall: {
      /** @description What to recall, in plain words. */
      query?: string
      /** @description Instead of `query`: the messages of the conversation. The last one of the user asks, with the one before it if it has few words. */
      messages?: components['schemas']['ConversationMessage'][]
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string | '*'
        /** @description Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing `:`, only those below it. */
        namespace_prefix?: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string
        /** @description Instead of `namespace`. Namespaces that the credential cannot read are skipped. */
        namespaces?: string[]
      }
      filters?: components['schemas']['Filters']
      /**
       * Format: date-time
       * @description When the question is asked, with the offset of its calendar (default: now, in UTC). A time that the question names, such as "last week", is understood from it.
       */
      reference_date?: string
      /** @description The conversation that the model already sees. */
      exclude_conversation_id?: string
      /** @description Bounds the whole text, at 3 characters per token. Default: `1000`. */
      max_tokens?: number
      /**
       * @description Default: `"text"`.
       * @enum {string}
       */
      format?: 'text' | 'items'
    }
    ConversationMessage: {
      /** @description Identifies the message: the same id is the same message. */
      id?: string | null
      /** @enum {string} */
      role: 'user' | 'assistant' | 'system' | 'tool'
      /** @description Who says it. */
      name?: string | null
      content: string | components['schemas']['MessagePart'][]
      /**
       * Format: date-time
       * @description When it was said. Without it, behind what the conversation has.
       * @example 2023-05-08T13:56:00Z
       */
      timestamp?: string | null
    }
    /** @description A part with a `text` of type `text`, `input_text` or `output_text`, or any other, which is left out. */
    MessagePart: {
      type: string
    } & {
      [key: string]: unknown
    }
    MemoryNamespace: {
      /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      project_id: string
      namespace: string
      /** @description Only with `include=counts`. Current items that you can read, among the newest 1,000 of the namespace. */
      items?: number
      /** @description Only if there are, or may be, more items. */
      items_truncated?: boolean
      /**
       * Format: date-time
       * @description Only with `include=counts`. When one of the counted items was last stored or changed; null if none was counted.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_write_at?: string | null
    }
    MemorySubject: {
      subject: string
      /** @description Items that you can read, counted up to 1,000. */
      items: number
      /** @description Only if there are, or may be, more items. */
      items_truncated?: boolean
      /**
       * Format: date-time
       * @description When one of these items was last stored or changed.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_write_at: string
    }
    BatchReport: {
      results: {
        index: number
        op: ('store' | 'update' | 'delete' | 'retire' | 'restore' | 'retrieve') | null
        /** @enum {string} */
        status: 'success' | 'error' | 'skipped'
        id?: string
        item?: components['schemas']['MemoryItemOrWritten']
        error?: {
          status: number
          code: string
          detail: string
        }
      }[]
      success_count: number
      error_count: number
    }
    Batch: {
      operations: components['schemas']['BatchOperation'][]
      /** @description Apply all operations or none. */
      atomic?: boolean
    }
    BatchOperation:
      | ({
          /** @constant */
          op: 'store'
        } & components['schemas']['MemoryItemStore'])
      | ({
          /** @constant */
          op: 'update'
          id: string
        } & components['schemas']['MemoryItemUpdate'])
      | {
          /** @constant */
          op: 'delete'
          id: string
        }
      | {
          /** @constant */
          op: 'retrieve'
          id: string
        }
    MemoryItemUpdate: {
      content?:
        | string
        | {
            text?: string
            type?: string
            /** @description At most 16 KiB as JSON, depth 8. */
            metadata?: {
              [key: string]: unknown
            }
          }
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string
        conversation_id?: string | null
        document_id?: string | null
        session_id?: string | null
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string | null
      }
      tags?: string[]
      ttl?: number | null
      /**
       * Format: date-time
       * @description When it happened, in the years 0001 to 9999. A date means midnight UTC.
       * @example 2023-05-08T13:56:00Z
       */
      occurred_at?: string | null
      custom_id?: string | null
      /** @enum {string} */
      visibility?: 'project' | 'private'
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      /** @description Whether `content.metadata` changes only the keys that it names. null removes a key. */
      merge_metadata?: boolean
    }
    MemoryRetirement: {
      reason?: string | null
    }
    MemoryVersion: {
      /** @description The version that introduced this text. */
      version: number
      text: string
      written_by: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      written_at: string
      /** @description What wrote it, as in `text_via` of the item. */
      written_via: string | null
    }
    MemoryBulkDeleted: {
      /** @description With `dry_run`: the number that would be deleted. */
      deleted: number
      /** @description Whether more items match: call again to delete them. */
      has_more: boolean
    }
    MemoryBulkDelete: {
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string | '*'
        /** @description Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing `:`, only those below it. */
        namespace_prefix?: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string
        /** @description Instead of `namespace`. Namespaces that the credential cannot read are skipped. */
        namespaces?: string[]
      }
      filters: components['schemas']['Filters']
      /**
       * @description Which items: `current` ones, `retired` ones, or both. Default: `"current"`.
       * @enum {string}
       */
      status?: 'current' | 'retired' | 'any'
      /** @description Only count the items; delete nothing. Default: `false`. */
      dry_run?: boolean
    }
    MemoryImportReport: {
      created: number
      /** @description Lines that matched an existing item by `custom_id` or `deduplicate`. */
      updated: number
      failed: number
      /** @description Failed lines beyond the 50 that have an `error`. */
      errors_omitted?: number
      /** @description Whether new items keep `created_at` and `updated_at` from their lines. False if the caller does not administer the project. */
      times_kept: boolean
      results: {
        /** @description Counted from 1. */
        line: number
        /** @enum {string} */
        status: 'created' | 'updated' | 'error'
        id?: string
        error?: {
          status: number
          code: string
          detail: string
        }
        /** @description Only if the write held secrets: what was found and where, never the secret. */
        warnings?: {
          path: string
          /** @enum {string} */
          code: 'secret_found' | 'secret_redacted'
          /** @description Such as `github_token`, `private_key` or `card`. New kinds appear. */
          kind: string
          /** @description In characters of the value as it was sent. */
          start: number
          end: number
        }[]
        /** @description Warnings beyond the first 50. */
        warnings_omitted?: number
      }[]
    }
    ConversationIngestReport: {
      conversation_id: string
      messages: {
        /** @description Of its items: one, or one for each part of a long text. */
        ids: string[]
        message_id?: string
        /** @enum {string} */
        status: 'created' | 'updated' | 'unchanged' | 'retired' | 'skipped'
        /**
         * @description Why it was skipped.
         * @enum {string}
         */
        reason?: 'role' | 'no_text' | 'history'
        /** @description Parts of its content that brought no text. */
        left_out?: {
          part: number
          type: string
          /** @enum {string} */
          reason: 'no_text' | 'other_type'
        }[]
      }[]
      /** @description Only if the write held secrets: what was found and where, never the secret. */
      warnings?: {
        path: string
        /** @enum {string} */
        code: 'secret_found' | 'secret_redacted'
        /** @description Such as `github_token`, `private_key` or `card`. New kinds appear. */
        kind: string
        /** @description In characters of the value as it was sent. */
        start: number
        end: number
      }[]
      /** @description Warnings beyond the first 50. */
      warnings_omitted?: number
    }
    ConversationIngest: {
      conversation_id: string
      messages: components['schemas']['ConversationMessage'][]
      /**
       * @description `history`: the last messages of the conversation are sent each time, and only what is new is stored. Default: `"append"`.
       * @enum {string}
       */
      mode?: 'append' | 'history'
      context?: {
        project_id?: string
        /** @enum {string} */
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string
        document_id?: string | null
        session_id?: string | null
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string | null
      }
      tags?: string[]
      ttl?: number | null
      /** @enum {string} */
      visibility?: 'project' | 'private'
      permissions?: {
        user_id: string
        /** @enum {string} */
        access: 'read' | 'write'
      }[]
      /** @description Messages of other roles are skipped. */
      roles?: ('user' | 'assistant' | 'system' | 'tool')[]
    }
    Conversation: {
      conversation_id: string
      /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      project_id: string
      namespace: string
      /** @description Turns that you can read, counted up to 1,000. */
      turns: number
      /** @description Only if there are, or may be, more turns. */
      turns_truncated?: boolean
      /**
       * Format: date-time
       * @description When the first of these turns occurred.
       * @example 2026-11-21T09:30:00.000Z
       */
      first_at: string
      /**
       * Format: date-time
       * @description When the last of these turns occurred.
       * @example 2026-11-21T09:30:00.000Z
       */
      last_at: string
      /** @description Of the first of these turns. */
      subject: string | null
      /** @description The first line of the first of these turns, at most 200 characters of it. */
      first_line: string
    }
    Usage: {
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      since: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      until: string
      /** @enum {string} */
      step: '5m' | 'hour' | 'day'
      /**
       * @description `tenant` for the owner of the tenant and for those who manage one of its workspaces. Others see only their own requests and the contents of their workspaces.
       * @enum {string}
       */
      whose: 'tenant' | 'user'
      data: {
        /**
         * Format: date-time
         * @description Start of the step.
         * @example 2026-11-21T09:30:00.000Z
         */
        at: string
        operation: string
        requests: number
        /** @description 4xx without 429. */
        refusals: number
        /** @description 429. */
        limited: number
        /** @description 5xx. */
        failures: number
      }[]
      /** @description Calls of the reranker over the whole range. */
      reranks: {
        calls: number
        failures: number
      }
      /** @description Secrets that the guard found in writes over the whole range, by kind and by what it did. */
      secrets: {
        kind: string
        flagged: number
        redacted: number
        refused: number
      }[]
      /** @description Current and retired items. An expired one counts until it is removed, within minutes. */
      items: {
        used: number
        quota: number | null
      }
      projects: {
        used: number
        quota: number | null
      }
      /**
       * @description Where the tenant is stored. Only for callers who see the tenant, in a deployment with regions.
       * @enum {string}
       */
      region?: 'wnam' | 'enam' | 'weur' | 'eeur' | 'apac' | 'oc'
      embeddings_pending: number
      /** @description The limits that apply now to the caller and to the key of this request. */
      limits: {
        name: string
        /** @description Permits in any window. */
        limit: number
        window_seconds: number
        /** @description What the limit counts by: each `user`, `key` or `subscription` has its own window. */
        per: string
      }[]
    }
    RetentionApplied: {
      /** @description Items that expire earlier. With `dry_run`: that would. */
      items: number
      /** @description Those of them that are gone at once. */
      expired: number
      /** @description Whether there are further items: call again with `next_cursor`. */
      has_more: boolean
      next_cursor: string | null
    }
    RetentionApply: {
      /** @description Only count the items; change nothing. Default: `false`. */
      dry_run?: boolean
      /** @description `next_cursor` from the previous call. */
      cursor?: string
    }
    ErasureDryRun: {
      dry_run: boolean
      covers: components['schemas']['ErasureCovers']
      counts: components['schemas']['ErasureCounts']
      kept: {
        key_ids: string[]
        subscription_ids: string[]
      }
    }
    ErasureCovers: {
      project_ids: string[]
      /** @description Whether these were all projects of the tenant. */
      whole_tenant: boolean
    }
    ErasureCounts: {
      /** @description Of everybody, private ones too. */
      items: number
      /** @description Those of them that were retired. */
      retired: number
      /** @description Earlier texts. */
      versions: number
      vectors: number
      /** @description Events that lost their data, or namespace and conversation. */
      events: number
      /** @description Deliveries of these events that were still waiting. */
      deliveries: number
    }
    Erasure: {
      /** @example ers_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /**
       * @description `running`; `erased`: no answer, row or vector holds it; `completed`: the keyword index has been rewritten too.
       * @enum {string}
       */
      status: 'running' | 'erased' | 'completed'
      /** @enum {string} */
      kind: 'namespace' | 'subject'
      /** @description What is erased, while it runs; then null. */
      name: string | null
      /** @description HMAC-SHA-256 of the name under a key of the service. */
      name_hmac: string
      covers: components['schemas']['ErasureCovers']
      counts: components['schemas']['ErasureCounts']
      /** @description Over the erased items: from 32 zero bytes, for each id in ascending order SHA-256(digest ‖ id), in hexadecimal. */
      digest: string
      /** @description Keys and subscriptions that name what was erased: change them yourself. Null while items are left. */
      kept: {
        key_ids: string[]
        subscription_ids: string[]
      } | null
      requested_by: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      requested_at: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      erased_at: string | null
      /**
       * Format: date-time
       * @description From then on no part of the keyword index holds a word of it.
       * @example 2026-11-21T09:30:00.000Z
       */
      index_rewritten_at: string | null
      /**
       * Format: date-time
       * @description Until then a restore of the database can bring it back. Backups of your own are unknown.
       * @example 2026-11-21T09:30:00.000Z
       */
      restorable_until: string | null
    }
    Erase: {
      namespace?: string
      /** @description Instead of `namespace`: the subject of the items. */
      subject?: string
      /** @description Only in these projects. Default: in all that you administer. */
      project_ids?: string[]
      /** @description Only count what would be erased. Default: `false`. */
      dry_run?: boolean
    }
    OperatorSettings: {
      /** @description `deployment`, or the id of a tenant, a user or an API key. */
      subject: string
      tenant_id: string | null
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      updated_at: string
      limits: {
        name: string
        /** @enum {string} */
        account_class: 'users' | 'service_accounts'
        set: number
      }[]
    }
    OperatorLimits: {
      subject: string
      /** @enum {string} */
      type: 'deployment' | 'tenant' | 'user' | 'api_key'
      /** @description The tenant that the subject is or belongs to. Null for the deployment. */
      tenant_id: string | null
      /** @description The user that the subject is, or that the key acts as. Null for the deployment and a tenant. */
      user_id: string | null
      limits: {
        name: string
        /** @enum {string} */
        account_class: 'users' | 'service_accounts'
        /** @description The value set for this subject itself; null if none is set. */
        set: number | null
        /** @description The limit that applies unless a more specific one is set: permits in any window. */
        limit: number
        /** @description The highest value that it can be set to. */
        max: number
        window_seconds: number
        /** @description What the limit counts by: each of these has its own window. */
        per: string
      }[]
    }
    OperatorChange: {
      /** @example aud_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
      id: string
      /**
       * Format: date-time
       * @example 2026-11-21T09:30:00.000Z
       */
      at: string
      /** @description The id of the key in `OPERATOR_KEYS`; `key_rotation` if a key was rotated and its successor took over its limits. */
      operator: string
      subject: string
      tenant_id: string | null
      changes: {
        name: string
        /** @enum {string} */
        account_class: 'users' | 'service_accounts'
        from: number | null
        to: number | null
      }[]
      request_id: string
    }
    Landing: {
      /** @enum {string} */
      name: 'Recollect'
      summary: string
      links: {
        [key: string]: string
      }
    }
    Health: {
      /** @enum {string} */
      status: 'ok'
    }
    Ready: {
      /** @enum {string} */
      status: 'ready' | 'degraded' | 'unavailable'
      /** @description Shards with a database that does not respond or lacks a migration. Their tenants get 503. */
      failed_shards: string[]
      /** Format: date-time */
      checked_at: string
      checks: {
        [key: string]: {
          /** @enum {string} */
          status: 'ok' | 'failed'
          took_ms: number
        }
      }
      /** @description What is wrong with the settings of the deployment. A faulty setting has no effect. */
      faults: string[]
      /** @description The embedding model, its dimension if known, and the reason if it cannot embed. */
      embedder: {
        model: string
        dimension: number | null
        fault: string | null
      }
      /** @description The model that `rerank` uses in a search; null if none is configured. */
      reranker: {
        model: string
      } | null
      /** @description Problems that will cause failures later unless someone acts. */
      warnings: {
        /** @enum {string} */
        name:
          | 'database_filling'
          | 'database_full'
          | 'tenants_missing'
          | 'audit_database_filling'
          | 'audit_bucket_unbound'
          | 'audit_bucket_failing'
          | 'embedding_failing'
        shard: string
        detail: string
      }[]
      /** @description Work that is due, counted up to 1000. */
      backlog: {
        [key: string]: number
      }
      /** @description Messages in each queue, delayed ones included. */
      messages: {
        [key: string]: number
      }
    }
    EventData: {
      /**
       * @example {
       *       "conversation_id": "support-4711",
       *       "text": "When is the office closed?"
       *     }
       */
      'message.new': {
        conversation_id: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "conversation_id": "support-4711",
       *       "text": "When does the office open?"
       *     }
       */
      'message.updated': {
        conversation_id: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "conversation_id": "support-4711"
       *     }
       */
      'conversation.created': {
        conversation_id: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "conversation_id": "support-4711"
       *     }
       */
      'conversation.updated': {
        conversation_id: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "conversation_id": "support-4711",
       *       "expires_at": "2026-11-21T09:30:10.000Z"
       *     }
       */
      'typing.start': {
        conversation_id: string
        /**
         * Format: date-time
         * @description Set by the service to 10 s after the event: from then on, typing counts as stopped.
         * @example 2026-11-21T09:30:00.000Z
         */
        expires_at: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "conversation_id": "support-4711"
       *     }
       */
      'typing.stop': {
        conversation_id: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "memory_id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "project_id": "prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "namespace": "default",
       *       "scope": "project",
       *       "kind": "note",
       *       "version": 1,
       *       "actor": "usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
       *     }
       */
      'memory.created': {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        memory_id: string
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
        namespace: string
        scope: string
        /**
         * @description A `turn` is a message of a conversation.
         * @enum {string}
         */
        kind: 'note' | 'turn'
        conversation_id?: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        occurred_at?: string
        /** @description Shows which of two events of one item is newer. */
        version: number
        /** @description A user id, or `system`. */
        actor: string
        /** @description The cause if the item was not deleted by a request: `expired` or `erased`. */
        reason?: string
        /**
         * @description Only on `memory.updated`, if the item was retired or became current again.
         * @enum {string}
         */
        change?: 'retired' | 'restored'
        /**
         * @description With `change: retired`: the item that supersedes it.
         * @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        superseded_by?: string
      }
      /**
       * @example {
       *       "memory_id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "project_id": "prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "namespace": "default",
       *       "scope": "project",
       *       "kind": "note",
       *       "version": 2,
       *       "actor": "usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
       *     }
       */
      'memory.updated': {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        memory_id: string
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
        namespace: string
        scope: string
        /**
         * @description A `turn` is a message of a conversation.
         * @enum {string}
         */
        kind: 'note' | 'turn'
        conversation_id?: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        occurred_at?: string
        /** @description Shows which of two events of one item is newer. */
        version: number
        /** @description A user id, or `system`. */
        actor: string
        /** @description The cause if the item was not deleted by a request: `expired` or `erased`. */
        reason?: string
        /**
         * @description Only on `memory.updated`, if the item was retired or became current again.
         * @enum {string}
         */
        change?: 'retired' | 'restored'
        /**
         * @description With `change: retired`: the item that supersedes it.
         * @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        superseded_by?: string
      }
      /**
       * @example {
       *       "memory_id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "project_id": "prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "namespace": "default",
       *       "scope": "project",
       *       "kind": "note",
       *       "version": 1,
       *       "actor": "system",
       *       "reason": "expired"
       *     }
       */
      'memory.deleted': {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        memory_id: string
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
        namespace: string
        scope: string
        /**
         * @description A `turn` is a message of a conversation.
         * @enum {string}
         */
        kind: 'note' | 'turn'
        conversation_id?: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        occurred_at?: string
        /** @description Shows which of two events of one item is newer. */
        version: number
        /** @description A user id, or `system`. */
        actor: string
        /** @description The cause if the item was not deleted by a request: `expired` or `erased`. */
        reason?: string
        /**
         * @description Only on `memory.updated`, if the item was retired or became current again.
         * @enum {string}
         */
        change?: 'retired' | 'restored'
        /**
         * @description With `change: retired`: the item that supersedes it.
         * @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        superseded_by?: string
      }
      /**
       * @example {
       *       "memory_id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "project_id": "prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
       *       "namespace": "default",
       *       "scope": "project",
       *       "kind": "note",
       *       "version": 1,
       *       "actor": "system"
       *     }
       */
      'memory.embedding_complete': {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        memory_id: string
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
        namespace: string
        scope: string
        /**
         * @description A `turn` is a message of a conversation.
         * @enum {string}
         */
        kind: 'note' | 'turn'
        conversation_id?: string
        /**
         * Format: date-time
         * @example 2026-11-21T09:30:00.000Z
         */
        occurred_at?: string
        /** @description Shows which of two events of one item is newer. */
        version: number
        /** @description A user id, or `system`. */
        actor: string
        /** @description The cause if the item was not deleted by a request: `expired` or `erased`. */
        reason?: string
        /**
         * @description Only on `memory.updated`, if the item was retired or became current again.
         * @enum {string}
         */
        change?: 'retired' | 'restored'
        /**
         * @description With `change: retired`: the item that supersedes it.
         * @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        superseded_by?: string
      }
      /**
       * @example {
       *       "offering_id": "crm-connector"
       *     }
       */
      'offering.installed': {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "offering_id": "crm-connector"
       *     }
       */
      'offering.uninstalled': {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "offering_id": "crm-connector"
       *     }
       */
      'offering.updated': {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "offering_id": "crm-connector",
       *       "status": "active"
       *     }
       */
      'offering.status_change': {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "code": "subscription.disabled",
       *       "reason": "gone",
       *       "subscription_id": "sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
       *     }
       */
      'system.notification': {
        /** @description Only the service sends `api_key.created`, `deliveries.expired`, `invitation.accepted`, `invitation.received`, `invitation.refused`, `reset_link.created`, `session.new_device`, `subscription.disabled`, `tenant.owner`. */
        code?: string
        message?: string
        /**
         * @description Set by the service: the user who published the event. Absent from events of the service.
         * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        sender?: string
        /** @description With `subscription.disabled`: `gone`, `failing` or `credential_ended`. */
        reason?: string
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        subscription_id?: string
        /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        key_id?: string
        /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        invitation_id?: string
        workspace_id?: string | null
        /** @example ses_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        session_id?: string
        /**
         * @description With `invitation.accepted` and `invitation.refused`: who answered.
         * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        user_id?: string
        /**
         * @description With `reset_link.created`: who created the link.
         * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        made_by?: string
        /**
         * Format: date-time
         * @description With `reset_link.created`: when the link expires.
         * @example 2026-11-21T09:30:00.000Z
         */
        expires_at?: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "state": "connected",
       *       "recovered": true,
       *       "replayed": 2,
       *       "last_event_id": "evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
       *     }
       */
      'system.status': {
        /** @description With `closing`: the numeric close code of the WebSocket. */
        code?: string | number
        message?: string
        /**
         * @description Set by the service: the user who published the event. Absent from events of the service.
         * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        sender?: string
        /** @description `connected` in the first frame of a socket, with `recovered`, `replayed` and `last_event_id`. `closing` in the last frame before the service closes the socket, with `code` and `reason`. Only the service sends these two states. */
        state?: string
        /** @description Whether all missed events follow; otherwise none do. */
        recovered?: boolean
        /** @description Number of missed events that follow immediately. */
        replayed?: number
        /** @description The `last_event_id` that the client sent. */
        last_event_id?: string | null
        /** @description With `connected`: the channel that a misspelt one probably means. */
        hint?: string
        /** @description With `closing`: the reason for the close. */
        reason?: string
      } & {
        [key: string]: unknown
      }
      /**
       * @example {
       *       "message": "Read-only on Sunday from 02:00 to 02:20 UTC."
       *     }
       */
      'system.maintenance': {
        code?: string
        message?: string
        /**
         * @description Set by the service: the user who published the event. Absent from events of the service.
         * @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        sender?: string
      } & {
        [key: string]: unknown
      }
    }
    EventChannel: {
      /** @constant */
      'message.new': 'conversation'
      /** @constant */
      'message.updated': 'conversation'
      /** @constant */
      'conversation.created': 'conversation'
      /** @constant */
      'conversation.updated': 'conversation'
      /** @constant */
      'typing.start': 'conversation'
      /** @constant */
      'typing.stop': 'conversation'
      /** @constant */
      'memory.created': 'memory'
      /** @constant */
      'memory.updated': 'memory'
      /** @constant */
      'memory.deleted': 'memory'
      /** @constant */
      'memory.embedding_complete': 'memory'
      /** @constant */
      'offering.installed': 'offering'
      /** @constant */
      'offering.uninstalled': 'offering'
      /** @constant */
      'offering.updated': 'offering'
      /** @constant */
      'offering.status_change': 'offering'
      /** @constant */
      'system.notification': 'system'
      /** @constant */
      'system.status': 'system'
      /** @constant */
      'system.maintenance': 'system'
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  logIn: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "username": "ada@example.com",
         *       "password": "correct horse battery"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /** @description The e-mail address. */
          username?: string
          /** @description The same as `username`. */
          email?: string
          password: string
          /** @description From an earlier login on this device. */
          device_token?: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionToken']
        }
      }
    }
  }
  logOut: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  changePassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "current_password": "correct horse battery",
         *       "new_password": "staple or something else"
         *     }
         */
        'application/json': {
          current_password: string
          new_password: string
          /** @description Keep your API keys. Default: `false`. */
          keep_keys?: boolean
        }
      }
    }
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listSessions: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Session'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  revokeOtherSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example ses_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Session']
        }
      }
    }
  }
  revokeSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example ses_01K8E3Z4T7Q9V6N2M5B8C1D0FH */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  requestToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "grant_type": "authorization_code",
         *       "client_id": "app_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
         *       "client_secret": "rcx_…",
         *       "code": "rcc_…",
         *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
         *       "redirect_uri": "https://notes.example/callback"
         *     }
         */
        'application/x-www-form-urlencoded': components['schemas']['TokenRequest']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TokenAnswer']
        }
      }
    }
  }
  revokeToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "rcr_…",
         *       "client_id": "app_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
         *       "client_secret": "rcx_…"
         *     }
         */
        'application/x-www-form-urlencoded': components['schemas']['RevokeRequest']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': Record<string, never>
        }
      }
    }
  }
  introspectToken: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "rca_…",
         *       "client_id": "app_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
         *       "client_secret": "rcx_…"
         *     }
         */
        'application/x-www-form-urlencoded': components['schemas']['IntrospectRequest']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Introspection']
        }
      }
    }
  }
  registerApp: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "client_name": "Notes",
         *       "redirect_uris": [
         *         "https://notes.example/callback"
         *       ],
         *       "token_endpoint_auth_method": "none"
         *     }
         */
        'application/json': components['schemas']['RegisterRequest']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ClientRegistration']
        }
      }
    }
  }
  getAuthorizationServerMetadata: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuthorizationServerMetadata']
        }
      }
    }
  }
  getAuthorizationServerMetadataOfAuthUrl: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuthorizationServerMetadata']
        }
      }
    }
  }
  getProtectedResourceMetadata: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata']
        }
      }
    }
  }
  getAgentResourceMetadata: {
    parameters: {
      query?: {
        /** @description As in the address that the client was given. */
        tools?: 'search'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata']
        }
      }
    }
  }
  getProjectAgentResourceMetadata: {
    parameters: {
      query?: {
        /** @description As in the address that the client was given. */
        tools?: 'search'
      }
      header?: never
      path: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        project_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProtectedResourceMetadata']
        }
      }
    }
  }
  listApps: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Application'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  createApp: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Notes",
         *       "type": "confidential",
         *       "redirect_uris": [
         *         "https://notes.example/callback"
         *       ],
         *       "scopes": [
         *         "read:memory",
         *         "write:memory"
         *       ]
         *     }
         */
        'application/json': {
          name: string
          /**
           * @description Default: `"confidential"`.
           * @enum {string}
           */
          type?: 'confidential' | 'public'
          /** @description Absolute https URLs without a fragment, compared as exact strings. */
          redirect_uris: string[]
          /** @description The scopes that a user can grant to it. */
          scopes: (
            | 'read:memory'
            | 'write:memory'
            | 'read:projects'
            | 'write:projects'
            | 'read:profile'
            | 'write:profile'
            | 'read:events'
            | 'write:events'
            | 'read:audit'
            | 'admin:workspace'
          )[]
          require_pkce?: boolean
          /** @description Seconds in which an exchanged refresh token that is sent again gets the same successor; 0: never. Default: `30`. */
          refresh_grace_seconds?: number
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApplicationWithSecret']
        }
      }
    }
  }
  getApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Application']
        }
      }
    }
  }
  deleteApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  updateApp: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "require_pkce": true
         *     }
         */
        'application/json': {
          name?: string
          /** @description Absolute https URLs without a fragment, compared as exact strings. */
          redirect_uris?: string[]
          /** @description The scopes that a user can grant to it. */
          scopes?: (
            | 'read:memory'
            | 'write:memory'
            | 'read:projects'
            | 'write:projects'
            | 'read:profile'
            | 'write:profile'
            | 'read:events'
            | 'write:events'
            | 'read:audit'
            | 'admin:workspace'
          )[]
          require_pkce?: boolean
          /** @description Seconds in which an exchanged refresh token that is sent again gets the same successor; 0: never. */
          refresh_grace_seconds?: number
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Application']
        }
      }
    }
  }
  rotateAppSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example app_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlap_seconds": 86400
         *     }
         */
        'application/json': {
          /** @description Seconds for which the old secret still works. Default: `86400`. */
          overlap_seconds?: number
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApplicationWithSecret']
        }
      }
    }
  }
  listGrants: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Grant'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getGrant: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example grt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Grant']
        }
      }
    }
  }
  revokeGrant: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example grt_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  registerUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "password": "correct horse battery",
         *       "name": "Ada"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /**
           * Format: email
           * @example ada@example.com
           */
          email: string
          password: string
          name: string
          /** @description The token from an invitation URL. The account joins that tenant instead of creating one. */
          invitation?: string
          /**
           * @description Where the tenant is stored, permanently, in a deployment with several regions. Default: the region nearest to the request.
           * @enum {string}
           */
          region?: 'wnam' | 'enam' | 'weur' | 'eeur' | 'apac' | 'oc'
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Registration']
        }
      }
    }
  }
  getMe: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
    }
  }
  deleteMe: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        'application/json': {
          password: string
        }
      }
    }
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  updateMe: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "settings": {
         *         "theme": "dark",
         *         "notifications": {
         *           "push": false
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['ProfileChanges']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UserOrWritten']
        }
      }
    }
  }
  exportMe: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PersonalData']
        }
      }
    }
  }
  getTenant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tenant']
        }
      }
    }
  }
  handOverTenant: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "owner_id": "usr_01K8E3Z4T7Q9V6N2M5B8C1D0FH",
         *       "password": "correct horse battery"
         *     }
         */
        'application/json': {
          /** @description A person in your tenant. */
          owner_id: string
          password: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tenant']
        }
      }
    }
  }
  listPeople: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Person'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  makeResetLinkForPerson: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FH */
        user_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        'application/json': {
          password: string
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ResetLink']
        }
      }
    }
  }
  listApiKeys: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        include?: 'revoked'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ApiKey'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  createApiKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Support bot",
         *       "scopes": [
         *         "read:memory",
         *         "write:memory"
         *       ],
         *       "environment": "live"
         *     }
         */
        'application/json': {
          name: string
          scopes: (
            | 'read:memory'
            | 'write:memory'
            | 'read:projects'
            | 'write:projects'
            | 'read:profile'
            | 'write:profile'
            | 'read:events'
            | 'write:events'
            | 'read:audit'
            | 'admin:workspace'
          )[]
          /**
           * @description Default: `"live"`.
           * @enum {string}
           */
          environment?: 'live' | 'test'
          /**
           * @description Default: `"user"`.
           * @enum {string}
           */
          owner?: 'user' | 'workspace'
          /** @description With `owner: "workspace"`: the workspace that owns the key. Default: the workspace of the default project. */
          workspace_id?: string
          permissions?: components['schemas']['KeyPermission'][] | null
          /** Format: date-time */
          expires_at?: string | null
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiKeyWithSecret']
        }
      }
    }
  }
  getApiKey: {
    parameters: {
      query?: {
        include?: 'revoked'
      }
      header?: never
      path: {
        /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiKey']
        }
      }
    }
  }
  revokeApiKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  rotateApiKey: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlap_seconds": 3600
         *     }
         */
        'application/json': {
          /** @description Seconds for which the old secret still works; never past its own expiry. Default: `86400`. */
          overlap_seconds?: number
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ApiKeyWithSecret']
        }
      }
    }
  }
  listAuditRows: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        actor?: string
        /** @example memory.retrieve */
        action?: string
        resource_id?: string
        project_id?: string
        /** @description Of a key, a session or a token, as `credential.id` has it. */
        credential_id?: string
        app_id?: string
        /** @description `success`, or an error code of the API or of OAuth. */
        outcome?:
          | 'success'
          | 'invalid_json'
          | 'conflicting_credentials'
          | 'unauthenticated'
          | 'invalid_token'
          | 'insufficient_scope'
          | 'forbidden'
          | 'session_required'
          | 'user_context_required'
          | 'quota_exceeded'
          | 'not_found'
          | 'method_not_allowed'
          | 'conflict'
          | 'custom_id_taken'
          | 'email_taken'
          | 'last_owner'
          | 'idempotency_mismatch'
          | 'idempotency_in_progress'
          | 'precondition_failed'
          | 'payload_too_large'
          | 'unsupported_media_type'
          | 'validation_failed'
          | 'upgrade_required'
          | 'rate_limited'
          | 'internal'
          | 'dependency_unavailable'
          | 'invalid_request'
          | 'invalid_client'
          | 'invalid_grant'
          | 'unauthorized_client'
          | 'unsupported_grant_type'
          | 'unsupported_response_type'
          | 'invalid_scope'
          | 'invalid_target'
          | 'invalid_redirect_uri'
          | 'invalid_client_metadata'
          | 'access_denied'
          | 'temporarily_unavailable'
          | 'server_error'
        request_id?: string
        /** @example 2026-11-01T00:00:00Z */
        since?: string
        until?: string
        /** @description `exclude` omits the reads that the portal made to show its pages. */
        page_reads?: 'include' | 'exclude'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['AuditRow'][]
            has_more: boolean
            next_cursor: string | null
          }
          'application/x-ndjson': string
        }
      }
    }
  }
  getUsageSeries: {
    parameters: {
      query?: {
        /** @example 2026-11-21T00:00:00Z */
        since?: string
        /** @example 2026-11-22T00:00:00Z */
        until?: string
        step?: 'hour' | 'day'
        /** @example project */
        by?: 'operation' | 'credential' | 'project' | 'outcome'
        /** @description `exclude` omits the reads that the portal made to show its pages. */
        page_reads?: 'include' | 'exclude'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UsageSeries']
        }
      }
    }
  }
  listWorkspaces: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Workspace'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  createWorkspace: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Research"
         *     }
         */
        'application/json': {
          name: string
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WorkspaceOrWritten']
        }
      }
    }
  }
  getWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Workspace']
        }
      }
    }
  }
  deleteWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  updateWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Research, EMEA"
         *     }
         */
        'application/json': {
          name?: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WorkspaceOrWritten']
        }
      }
    }
  }
  listMembers: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Member'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  inviteMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "grace@example.com",
         *       "role": "editor"
         *     }
         */
        'application/json': {
          /**
           * Format: email
           * @example ada@example.com
           */
          email: string
          /** @enum {string} */
          role: 'owner' | 'admin' | 'editor' | 'viewer'
        }
      }
    }
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['InvitationWithLink']
        }
      }
    }
  }
  removeMember: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FH */
        user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  changeMemberRole: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FH */
        user_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "role": "viewer"
         *     }
         */
        'application/json': {
          /** @enum {string} */
          role: 'owner' | 'admin' | 'editor' | 'viewer'
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemberOrWritten']
        }
      }
    }
  }
  makeResetLinkForMember: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        /** @example usr_01K8E3Z4T7Q9V6N2M5B8C1D0FH */
        user_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ResetLink']
        }
      }
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "rcp_…",
         *       "password": "correct horse battery"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /** @description The token in a reset link. */
          token: string
          password: string
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PasswordReset']
        }
      }
    }
  }
  listInvitations: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Invitation'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  renewInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        invitation_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['InvitationWithLink']
        }
      }
    }
  }
  withdrawInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
        /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        invitation_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listReceivedInvitations: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ReceivedInvitation'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  acceptInvitation: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Workspace']
        }
      }
    }
  }
  refuseInvitation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example inv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  createProject: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Support bot",
         *       "workspace_id": "wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
         *     }
         */
        'application/json': {
          name: string
          workspace_id: string
          description?: string
          icon?: string
        }
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectOrWritten']
        }
      }
    }
  }
  deleteProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listProjects: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        /** @example wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        workspace_id?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Project'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Project']
        }
      }
    }
  }
  updateProject: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "description": "What customers told the support bot."
         *     }
         */
        'application/json': components['schemas']['ProjectChanges']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ProjectOrWritten']
        }
      }
    }
  }
  listNames: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "ids": [
         *         "usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
         *         "key_01K8E3Z4T7Q9V6N2M5B8C1D0FG"
         *       ]
         *     }
         */
        'application/json': {
          ids: string[]
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Names']
        }
      }
    }
  }
  publishEvent: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "message.new",
         *       "data": {
         *         "conversation_id": "chat-17",
         *         "message": {
         *           "text": "Does anyone have a nut allergy?"
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['PublishEvent']
      }
    }
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PublishedEvent']
        }
      }
    }
  }
  listSubscriptions: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        /** @description `failing`: only those that deliver nothing. Either every attempt since `failing_since` has failed, or the service disabled the subscription because of its receiver. */
        health?: 'failing'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Subscriptions']
        }
      }
    }
  }
  createSubscription: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "channels": [
         *         "conversation",
         *         "memory"
         *       ],
         *       "events": [
         *         "message.new",
         *         "memory.created"
         *       ],
         *       "filters": {
         *         "conversation_id": "chat-17"
         *       },
         *       "delivery": {
         *         "method": "webhook",
         *         "url": "https://example.com/hooks/recollect"
         *       }
         *     }
         */
        'application/json': components['schemas']['CreateSubscription']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Subscription']
        }
      }
    }
  }
  getSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Subscription']
        }
      }
    }
  }
  updateSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "paused"
         *     }
         */
        'application/json': components['schemas']['UpdateSubscription']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SubscriptionOrWritten']
        }
      }
    }
  }
  deleteSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        subscription_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeletedSubscription']
        }
      }
    }
  }
  getSubscriptionSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SigningSecret']
        }
      }
    }
  }
  rotateSubscriptionSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SigningSecret']
        }
      }
    }
  }
  testSubscription: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TestDelivery']
        }
      }
    }
  }
  listDeliveries: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        /** @example delivered */
        status?: 'waiting' | 'pending' | 'sending' | 'delivered' | 'failed' | 'expired'
        since?: string
        until?: string
      }
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Delivery'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Delivery']
        }
      }
    }
  }
  listDeliveryAttempts: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['DeliveryAttempt'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getDeliveryRequest: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryRequest']
        }
      }
    }
  }
  retryDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliveryOrWritten']
        }
      }
    }
  }
  recoverDeliveries: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "since": "2026-11-21T00:00:00.000Z",
         *       "until": "2026-11-22T00:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['RecoverDeliveries']
      }
    }
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecoveredDeliveries']
        }
      }
    }
  }
  getDeliverySeries: {
    parameters: {
      query?: {
        /** @example 2026-11-21T00:00:00Z */
        since?: string
        /** @example 2026-11-22T00:00:00Z */
        until?: string
        step?: 'hour' | 'day'
        /** @description Repeatable, up to 20 times (default: the newest 20). */
        subscription_id?: string | string[]
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DeliverySeries']
        }
      }
    }
  }
  getAsyncApiDocument: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 304 if the `ETag` is still this one. */
        'If-None-Match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AsyncApiDocument']
        }
      }
    }
  }
  storeMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
        /** @description Returns 412 if an item has the `custom_id`. */
        'If-None-Match'?: '*'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "content": {
         *         "text": "Ada is allergic to peanuts.",
         *         "metadata": {
         *           "source": "chat"
         *         }
         *       },
         *       "context": {
         *         "scope": "conversation",
         *         "conversation_id": "chat-17"
         *       },
         *       "tags": [
         *         "ada",
         *         "health"
         *       ],
         *       "ttl": 2592000,
         *       "custom_id": "allergy"
         *     }
         */
        'application/json': components['schemas']['MemoryItemStore']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
    }
  }
  searchMemories: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "Does anyone have a nut allergy?",
         *       "limit": 5
         *     }
         */
        'application/json': components['schemas']['MemorySearch']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemorySearchReply']
        }
      }
    }
  }
  retrieveMemory: {
    parameters: {
      query: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      header?: {
        /** @description Returns 304 if the `ETag` is still this one. */
        'If-None-Match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItem']
        }
      }
    }
  }
  recallMemories: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "Does anyone have a nut allergy?",
         *       "format": "items"
         *     }
         */
        'application/json': components['schemas']['MemoryRecall']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryRecallReply']
        }
      }
    }
  }
  listMemories: {
    parameters: {
      query?: {
        /** @example 20 */
        limit?: number
        cursor?: string
        project_id?: string
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        namespace?: string | '*'
        /** @description Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing `:`, only those below it. */
        namespace_prefix?: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string
        namespaces?: string | string[]
        /** @example health */
        tags?: string | string[]
        tags_match?: 'any' | 'all'
        embedding_status?: 'pending' | 'processing' | 'completed' | 'failed'
        kind?: 'note' | 'turn'
        created_after?: string
        created_before?: string
        occurred_after?: string
        occurred_before?: string
        /** @description Words that an item must contain, all of them. */
        q?: string
        /** @description URL-encoded JSON of `Filters`. */
        filters?: string
        /** @description Which items: `current` ones, `retired` ones, or both. */
        status?: 'current' | 'retired' | 'any'
        /** @description Sorting by `occurred_at` uses `created_at` for items without it. */
        sort?: '-created_at' | 'created_at' | '-occurred_at' | 'occurred_at'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['MemoryItem'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  listNamespaces: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        project_id?: string
        /**
         * @description This namespace and those below it, separated by `:`. With a trailing `:`, only those below it.
         * @example customers
         */
        prefix?: string
        /**
         * @description Adds the counts of each namespace. Such a page has at most 20.
         * @example counts
         */
        include?: 'counts'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['MemoryNamespace'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  listSubjects: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        project_id?: string
        /**
         * @description The characters with which a subject begins.
         * @example grace
         */
        prefix?: string
        /** @description Which items: `current` ones, `retired` ones, or both. */
        status?: 'current' | 'retired' | 'any'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['MemorySubject'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  embedMemory: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
    }
  }
  batchMemories: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "store",
         *           "content": "Buy tea.",
         *           "tags": [
         *             "tea"
         *           ]
         *         },
         *         {
         *           "op": "update",
         *           "id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG",
         *           "tags": [
         *             "ada",
         *             "health",
         *             "checked"
         *           ]
         *         },
         *         {
         *           "op": "delete",
         *           "id": "mem_01K8E3Z4T7Q9V6N2M5B8C1D0FH"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['Batch']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BatchReport']
        }
      }
    }
  }
  getMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 304 if the `ETag` is still this one. */
        'If-None-Match'?: string
      }
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItem']
        }
      }
    }
  }
  deleteMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 412 if the item has another version. */
        'If-Match'?: string
      }
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success, no content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  updateMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 412 if the item has another version. */
        'If-Match'?: string
      }
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "content": {
         *         "text": "Ada is allergic to peanuts and cashews."
         *       }
         *     }
         */
        'application/json': components['schemas']['MemoryItemUpdate']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
    }
  }
  retireMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 412 if the item has another version. */
        'If-Match'?: string
      }
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "reason": "She outgrew it."
         *     }
         */
        'application/json': components['schemas']['MemoryRetirement']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
    }
  }
  restoreMemory: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 412 if the item has another version. */
        'If-Match'?: string
      }
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryItemOrWritten']
        }
      }
    }
  }
  listMemoryVersions: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path: {
        /** @example mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['MemoryVersion'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  deleteMemories: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "filters": {
         *         "tags": [
         *           "ada"
         *         ]
         *       },
         *       "dry_run": true
         *     }
         */
        'application/json': components['schemas']['MemoryBulkDelete']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryBulkDeleted']
        }
      }
    }
  }
  exportMemories: {
    parameters: {
      query?: {
        project_id?: string
        scope?: 'global' | 'project' | 'conversation' | 'document' | 'session'
        /** @example * */
        namespace?: string | '*'
        /** @description Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing `:`, only those below it. */
        namespace_prefix?: string
        conversation_id?: string
        document_id?: string
        session_id?: string
        /** @description The person or thing that the item is about, as a name or an id. */
        subject?: string
        namespaces?: string | string[]
        tags?: string | string[]
        tags_match?: 'any' | 'all'
        embedding_status?: 'pending' | 'processing' | 'completed' | 'failed'
        kind?: 'note' | 'turn'
        created_after?: string
        created_before?: string
        occurred_after?: string
        occurred_before?: string
        /** @description URL-encoded JSON of `Filters`. */
        filters?: string
        /** @description Which items: `current` ones, `retired` ones, or both. */
        status?: 'current' | 'retired' | 'any'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': string
        }
      }
    }
  }
  importMemories: {
    parameters: {
      query?: {
        project_id?: string
        /** @description What happens at least to secrets in the lines. Without it, the setting of the project decides. */
        guard?: 'flag' | 'redact' | 'refuse'
      }
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {"content": "Ada prefers tea without sugar.", "tags": ["ada"]}
         *     {"content": "Grace drinks coffee.", "context": {"namespace": "customers:grace", "subject": "grace@example.com"}}
         */
        'application/x-ndjson': string
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryImportReport']
        }
      }
    }
  }
  storeMessages: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat for 24 hours. */
        'Idempotency-Key'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "conversation_id": "chat-18",
         *       "messages": [
         *         {
         *           "id": "m1",
         *           "role": "user",
         *           "name": "Ada",
         *           "content": "I moved to Lisbon in May."
         *         },
         *         {
         *           "id": "m2",
         *           "role": "assistant",
         *           "content": [
         *             {
         *               "type": "text",
         *               "text": "How do you like it there?"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ConversationIngest']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ConversationIngestReport']
        }
      }
    }
  }
  listConversations: {
    parameters: {
      query?: {
        /** @example 20 */
        limit?: number
        cursor?: string
        project_id?: string
        namespace?: string | '*'
        /** @description Which items: `current` ones, `retired` ones, or both. */
        status?: 'current' | 'retired' | 'any'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Conversation'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getConversation: {
    parameters: {
      query?: {
        /** @example 20 */
        limit?: number
        cursor?: string
        project_id?: string
        namespace?: string
        /** @description Which items: `current` ones, `retired` ones, or both. */
        status?: 'current' | 'retired' | 'any'
      }
      header?: never
      path: {
        /** @example chat-18 */
        conversation_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['MemoryItem'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  deleteConversation: {
    parameters: {
      query?: {
        project_id?: string
        namespace?: string
      }
      header?: never
      path: {
        /** @example chat-18 */
        conversation_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['MemoryBulkDeleted']
        }
      }
    }
  }
  getUsage: {
    parameters: {
      query?: {
        /** @example 2026-11-21T00:00:00Z */
        since?: string
        /** @example 2026-11-22T00:00:00Z */
        until?: string
        /** @example hour */
        step?: '5m' | 'hour' | 'day'
        /** @description `exclude` omits the reads that the portal made to show its pages. */
        page_reads?: 'include' | 'exclude'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Usage']
        }
      }
    }
  }
  applyRetention: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "dry_run": true
         *     }
         */
        'application/json': components['schemas']['RetentionApply']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RetentionApplied']
        }
      }
    }
  }
  listErasures: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Erasure'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  eraseMemories: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "subject": "Ada Lovelace"
         *     }
         */
        'application/json': components['schemas']['Erase']
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErasureDryRun']
        }
      }
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Erasure']
        }
      }
    }
  }
  getErasure: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example ers_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Erasure']
        }
      }
    }
  }
  listenToEvents: {
    parameters: {
      query: {
        /** @description Access token, session token or API key, unless it is in a header. */
        token?: string
        /**
         * @description Channel names, separated by commas.
         * @example conversation,memory
         */
        channels: string
        /**
         * @description Identifies this client: its next connection replaces this one.
         * @example support-desk
         */
        client_id?: string
        /** @description The last `id` that you received; the events missed since then follow the first frame. */
        last_event_id?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: never
  }
  listenToEventStream: {
    parameters: {
      query: {
        /** @description Access token, session token or API key, unless it is in a header. */
        token?: string
        /**
         * @description Channel names, separated by commas.
         * @example conversation,memory
         */
        channels: string
        /**
         * @description Identifies this client: its next connection replaces this one.
         * @example support-desk
         */
        client_id?: string
        /** @description The last `id` that you received; the events missed since then follow the first frame. */
        last_event_id?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: never
  }
  getLlmsTxt: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 304 if the `ETag` is still this one. */
        'If-None-Match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
    }
  }
  listLimits: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['OperatorSettings'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getLimits: {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description `deployment`, or the id of a tenant, a user or an API key.
         * @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        subject: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OperatorLimits']
        }
      }
    }
  }
  updateLimits: {
    parameters: {
      query?: never
      header?: never
      path: {
        /**
         * @description `deployment`, or the id of a tenant, a user or an API key.
         * @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG
         */
        subject: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "limits": {
         *         "api-key": 100
         *       }
         *     }
         */
        'application/json': {
          /** @description Limits of the user or key, or of all users below a tenant or the deployment. */
          limits?: {
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.store'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.retrieve'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.search'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.batch'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.ingest'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'api-key'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.publish'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.refused'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.subscribe'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.delivery'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            read?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            write?: number | null
          }
          /** @description Limits of the service accounts below a tenant or the deployment. A limit that is not set here is that of the users. */
          service_account_limits?: {
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.store'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.retrieve'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.search'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.batch'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'memory.ingest'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'api-key'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.publish'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.refused'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.subscribe'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            'events.delivery'?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            read?: number | null
            /** @description Permits in any window of this limit; null removes the setting. */
            write?: number | null
          }
        }
      }
    }
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['OperatorLimits']
        }
      }
    }
  }
  listOperatorChanges: {
    parameters: {
      query?: {
        limit?: number
        cursor?: string
        /** @example key_01K8E3Z4T7Q9V6N2M5B8C1D0FG */
        subject?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['OperatorChange'][]
            has_more: boolean
            next_cursor: string | null
          }
        }
      }
    }
  }
  getLandingPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Landing']
        }
      }
    }
  }
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  getReadiness: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Ready']
        }
      }
    }
  }
  getOpenApiDocument: {
    parameters: {
      query?: never
      header?: {
        /** @description Returns 304 if the `ETag` is still this one. */
        'If-None-Match'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            openapi: string
          } & {
            [key: string]: unknown
          }
        }
      }
    }
  }
  getReferencePage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
  getEventsPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
  getErrorsPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
}
