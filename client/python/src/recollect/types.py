# Made from the documents of the service by `npm run docs`. Do not edit.
"""The JSON of the API. Ignore fields and values that you do not know: a version may add some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class BatchStore(TypedDict):
    op: Literal["store"]
    content: str | BatchStoreContent
    context: NotRequired[BatchStoreContext]
    tags: NotRequired[list[str]]
    """At most 32 values."""
    ttl: NotRequired[int | None]
    occurred_at: NotRequired[str | None]
    custom_id: NotRequired[str | None]
    visibility: NotRequired[Literal["project", "private"]]
    permissions: NotRequired[list[BatchStorePermission]]
    """At most 100 values."""
    deduplicate: NotRequired[bool]
    supersedes: NotRequired[list[str | BatchStoreSupersede]]
    """Items that this one replaces: they are retired in the same commit. At most 10 values."""
    supersede_reason: NotRequired[str | None]


class BatchStoreContent(TypedDict):
    text: str
    """At most 65,536 characters."""
    type: NotRequired[str]
    """At most 128 characters."""
    metadata: NotRequired[dict[str, Any]]
    """At most 16 KiB as JSON, depth 8."""


class BatchStoreContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str]
    conversation_id: NotRequired[str | None]
    document_id: NotRequired[str | None]
    session_id: NotRequired[str | None]
    subject: NotRequired[str | None]


class BatchStorePermission(TypedDict):
    user_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]


class BatchStoreSupersede(TypedDict):
    id: str
    """At most 64 characters."""
    if_version: NotRequired[int]
    """The version that you read. 1 to 9,007,199,254,740,991."""


class BatchUpdate(TypedDict):
    op: Literal["update"]
    id: str
    """At most 64 characters."""
    content: NotRequired[str | BatchUpdateContent]
    context: NotRequired[BatchUpdateContext]
    tags: NotRequired[list[str]]
    """At most 32 values."""
    ttl: NotRequired[int | None]
    occurred_at: NotRequired[str | None]
    custom_id: NotRequired[str | None]
    visibility: NotRequired[Literal["project", "private"]]
    permissions: NotRequired[list[BatchUpdatePermission]]
    """At most 100 values."""
    merge_metadata: NotRequired[bool]
    """Whether `content.metadata` changes only the keys that it names. null removes a key."""


class BatchUpdateContent(TypedDict):
    text: NotRequired[str]
    """At most 65,536 characters."""
    type: NotRequired[str]
    """At most 128 characters."""
    metadata: NotRequired[dict[str, Any]]
    """At most 16 KiB as JSON, depth 8."""


class BatchUpdateContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str]
    conversation_id: NotRequired[str | None]
    document_id: NotRequired[str | None]
    session_id: NotRequired[str | None]
    subject: NotRequired[str | None]


class BatchUpdatePermission(TypedDict):
    user_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]


class BatchDelete(TypedDict):
    op: Literal["delete"]
    id: str
    """At most 64 characters."""


class BatchRetire(TypedDict):
    op: Literal["retire"]
    id: str
    """At most 64 characters."""
    reason: NotRequired[str | None]


class BatchRestore(TypedDict):
    op: Literal["restore"]
    id: str
    """At most 64 characters."""


class BatchRetrieve(TypedDict):
    op: Literal["retrieve"]
    id: str
    """At most 64 characters."""


class SessionToken(TypedDict):
    session_token: str
    expires_in: Literal[86400]
    """Seconds."""
    device_token: str
    """Opaque, and not a credential. Send it with the next login from this device."""


class Problem(TypedDict):
    """RFC 9457 problem details. More members may be added."""

    type: str
    """A link to the explanation of the code in `/api-reference/errors`."""
    title: str
    status: int
    detail: str
    code: Literal["invalid_json", "conflicting_credentials", "unauthenticated", "invalid_token", "insufficient_scope", "forbidden", "session_required", "user_context_required", "quota_exceeded", "not_found", "method_not_allowed", "conflict", "custom_id_taken", "email_taken", "last_owner", "idempotency_mismatch", "idempotency_in_progress", "precondition_failed", "payload_too_large", "unsupported_media_type", "validation_failed", "upgrade_required", "rate_limited", "internal", "dependency_unavailable"]
    request_id: str
    errors: NotRequired[list[ProblemError]]
    """With 422: up to 50 invalid fields, each with its dotted `path`."""
    errors_omitted: NotRequired[int]
    """Number of invalid fields that `errors` does not list."""


class ProblemError(TypedDict):
    path: str
    code: str
    message: str


class Session(TypedDict):
    id: str
    user_agent: str
    """The `User-Agent` of the login."""
    current: bool
    """Whether this is the session of the request."""
    created_at: str
    last_used_at: str | None
    """Accurate to the minute."""
    expires_at: str


class TokenAnswer(TypedDict):
    access_token: str
    token_type: Literal["bearer"]
    expires_in: Literal[3600]
    refresh_token: str
    scope: str


class OAuthError(TypedDict):
    """RFC 6749 §5.2."""

    error: str
    error_description: NotRequired[str]


class TokenRequest(TypedDict):
    grant_type: NotRequired[str]
    """`authorization_code` or `refresh_token`. At most 64 characters."""
    client_id: NotRequired[str]
    """The application. Optional with HTTP Basic. At most 2,000 characters."""
    client_secret: NotRequired[str]
    """The secret of a confidential application, unless it is in HTTP Basic. At most 256 characters."""
    code: NotRequired[str]
    """The authorization code. At most 256 characters."""
    redirect_uri: NotRequired[str]
    """The redirect URI from the authorization request. At most 4,096 characters."""
    code_verifier: NotRequired[str]
    """PKCE verifier (RFC 7636); required if a challenge was sent. At most 256 characters."""
    refresh_token: NotRequired[str]
    """The refresh token, with `grant_type=refresh_token`. At most 256 characters."""
    scope: NotRequired[str]
    """Narrows the scopes of a refreshed access token; cannot widen them. At most 4,096 characters."""
    resource: NotRequired[str]
    """Resource indicator (RFC 8707): an address of this service. It may be repeated."""


class RevokeRequest(TypedDict):
    token: NotRequired[str]
    """The access or refresh token. At most 256 characters."""
    token_type_hint: NotRequired[str]
    """Ignored: the token itself shows its type. At most 64 characters."""
    client_id: NotRequired[str]
    """The application. Optional with HTTP Basic. At most 2,000 characters."""
    client_secret: NotRequired[str]
    """The secret of a confidential application, unless it is in HTTP Basic. At most 256 characters."""


class Introspection(TypedDict):
    active: bool
    scope: NotRequired[str]
    client_id: NotRequired[str]
    token_type: NotRequired[Literal["bearer"]]
    sub: NotRequired[str]
    aud: NotRequired[str]
    iss: NotRequired[str]
    iat: NotRequired[float]
    exp: NotRequired[float]


class IntrospectRequest(TypedDict):
    token: NotRequired[str]
    """The access or refresh token. At most 256 characters."""
    token_type_hint: NotRequired[str]
    """Ignored: the token itself shows its type. At most 64 characters."""
    client_id: NotRequired[str]
    """The application. Optional with HTTP Basic. At most 2,000 characters."""
    client_secret: NotRequired[str]
    """The secret of a confidential application, unless it is in HTTP Basic. At most 256 characters."""


class ClientRegistration(TypedDict):
    client_id: str
    client_secret: NotRequired[str]
    client_secret_expires_at: NotRequired[Literal[0]]
    client_id_issued_at: float
    client_name: str
    redirect_uris: list[str]
    token_endpoint_auth_method: str
    grant_types: list[str]
    response_types: list[str]
    scope: str


class RegisterRequest(TypedDict):
    redirect_uris: NotRequired[list[str] | None]
    """At most 20 values."""
    client_name: NotRequired[str | None]
    """At most 120 characters."""
    token_endpoint_auth_method: NotRequired[str | None]
    grant_types: NotRequired[list[str] | None]
    response_types: NotRequired[list[str] | None]
    scope: NotRequired[str | None]
    """At most 1,000 characters."""


class AuthorizationServerMetadata(TypedDict):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    introspection_endpoint: str
    registration_endpoint: NotRequired[str]
    client_id_metadata_document_supported: NotRequired[bool]
    scopes_supported: list[str]
    response_types_supported: list[str]
    response_modes_supported: list[str]
    grant_types_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]
    revocation_endpoint_auth_methods_supported: list[str]
    introspection_endpoint_auth_methods_supported: list[str]
    code_challenge_methods_supported: list[str]
    authorization_response_iss_parameter_supported: bool
    service_documentation: str


class ProtectedResourceMetadata(TypedDict):
    resource: str
    resource_name: str
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: list[str]
    resource_documentation: str


class Application(TypedDict):
    id: str
    client_id: str
    name: str
    type: Literal["confidential", "public"]
    redirect_uris: list[str]
    scopes: list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]
    require_pkce: bool
    refresh_grace_seconds: float
    created_at: str
    updated_at: str


class ApplicationWithSecret(Application):
    client_secret: str | None
    """Shown once; null for a public application."""


class Grant(TypedDict):
    id: str
    application: GrantApplication
    scopes: list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]
    agent: bool
    """Whether the application registered itself, is a metadata document, or has tokens that work
    only at `/mcp`.
    """
    project_id: str | None
    """The only project that its tokens reach, at `/mcp/{project_id}`; null if they are not bound to
    one.
    """
    created_at: str
    last_used_at: str


class GrantApplication(TypedDict):
    client_id: str
    name: str


class Registration(SessionToken):
    user: User


class User(TypedDict):
    id: str
    email: str
    name: str
    avatar_url: str
    created_at: str
    updated_at: str
    settings: UserSettings
    region: NotRequired[Literal["wnam", "enam", "weur", "eeur", "apac", "oc"]]
    """Where the tenant is stored. Only for the owner of the tenant, in a deployment with regions."""


class UserSettings(TypedDict):
    theme: Literal["light", "dark", "system"]
    language: str
    notifications: UserSettingsNotifications


class UserSettingsNotifications(TypedDict):
    email: bool
    push: bool


UserOrWritten: TypeAlias = "User | UserWritten"


class UserWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    id: str
    created_at: str
    updated_at: str


class ProfileChanges(TypedDict):
    name: NotRequired[str]
    """At most 120 characters."""
    avatar_url: NotRequired[str]
    """An HTTPS URL, or an empty string for none. At most 2,048 characters."""
    settings: NotRequired[ProfileChangesSettings]


class ProfileChangesSettings(TypedDict):
    theme: NotRequired[Literal["light", "dark", "system"]]
    language: NotRequired[str]
    """At most 35 characters."""
    notifications: NotRequired[ProfileChangesSettingsNotifications]


class ProfileChangesSettingsNotifications(TypedDict):
    email: NotRequired[bool]
    push: NotRequired[bool]


class PersonalData(TypedDict):
    exported_at: str
    user: User
    workspaces: list[PersonalDataWorkspace]
    projects: list[PersonalDataProject]
    api_keys: list[PersonalDataApiKey]
    sessions: list[PersonalDataSession]
    applications: list[PersonalDataApplication]
    grants: list[PersonalDataGrant]


class PersonalDataWorkspace(TypedDict):
    id: str
    name: str
    role: Literal["owner", "admin", "editor", "viewer"]
    joined_at: str


class PersonalDataProject(TypedDict):
    id: str
    name: str
    workspace_id: str
    created_at: str
    items: str
    """The path that exports the items of the project."""


class PersonalDataApiKey(TypedDict):
    id: str
    name: str
    scopes: list[str]
    created_at: str


class PersonalDataSession(TypedDict):
    id: str
    user_agent: str
    created_at: str


class PersonalDataApplication(TypedDict):
    client_id: str
    name: str
    created_at: str


class PersonalDataGrant(TypedDict):
    id: str
    application: str
    scopes: list[str]
    created_at: str


class Tenant(TypedDict):
    id: str
    owner_id: str | None
    """The person who signed up, or the one who took over the tenant. Null if that person left long
    ago.
    """
    created_at: str


class Person(TypedDict):
    user_id: str
    email: str
    name: str
    avatar_url: str
    created_at: str


class ResetLink(TypedDict):
    reset_url: str | None
    """Shown in this response only. Works once."""
    expires_at: str


class ApiKey(TypedDict):
    id: str
    name: str
    prefix: Literal["rck_live_", "rck_test_"]
    last_four: str
    environment: Literal["live", "test"]
    owner: Literal["user", "workspace"]
    workspace_id: str | None
    scopes: list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]
    permissions: list[KeyPermission] | None
    status: Literal["active", "rotating", "expired", "revoked"]
    created_at: str
    created_by: str
    expires_at: str | None
    revoked_at: str | None
    """When the key was revoked, or when its rotation will end it."""
    last_used_at: str | None
    rotated_to: str | None


class ApiKeyWithSecret(ApiKey):
    key: str | None
    """The secret, shown in this response only."""


class KeyPermission(TypedDict):
    project_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]
    namespaces: NotRequired[list[str]]
    """At most 50 values."""


class AuditRow(TypedDict):
    id: str
    at: str
    actor: str
    credential: AuditRowCredential
    action: str
    resource_ids: list[str]
    project_id: str | None
    workspace_id: str | None
    outcome: str
    """`success`, or the error code of the API or of OAuth."""
    request_id: str
    page_read: bool
    """The portal made this read to show a page to its user."""


class AuditRowCredential(TypedDict):
    kind: str
    id: str
    environment: str | None
    app_id: str | None


class UsageSeries(TypedDict):
    since: str
    until: str
    step: Literal["hour", "day"]
    by: Literal["operation", "credential", "project", "outcome"]
    whose: Literal["tenant", "user"]
    bounds_ms: list[int]
    """Inclusive upper bounds of the first 10 buckets of `durations`. The last bucket has no bound."""
    data: list[UsageSeriesDataItem]
    embedding_backlog: list[UsageSeriesEmbeddingBacklogItem] | None
    """The highest number of items of the tenant seen waiting for their embedding in each step. Null
    if the caller cannot see figures of the tenant.
    """


class UsageSeriesDataItem(TypedDict):
    at: str
    """Start of the step."""
    name: str
    """An operation, an outcome, a project, or a credential: the id of a key or an application, else
    `session` or `portal`. `none`: no project. `other`: everything that is not listed separately.
    """
    requests: int
    refusals: int
    """4xx without 429."""
    limited: int
    """429."""
    failures: int
    """5xx."""
    total_ms: int
    """Sum of the durations."""
    durations: list[int]
    """Number of requests in each bucket of duration."""


class UsageSeriesEmbeddingBacklogItem(TypedDict):
    at: str
    waiting: int
    truncated: NotRequired[bool]
    """The count stopped at 100000 items of all tenants: there are `waiting` or more."""


WorkspaceOrWritten: TypeAlias = "Workspace | WorkspaceWritten"


class Workspace(TypedDict):
    id: str
    name: str
    role: Literal["owner", "admin", "editor", "viewer"]
    """The role of the caller."""
    created_at: str
    updated_at: str
    created_by: str


class WorkspaceWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    id: str
    created_at: str
    updated_at: str


class Member(TypedDict):
    user_id: str
    kind: Literal["person", "service"]
    """`service`: the account of the workspace's keys."""
    email: str
    name: str
    avatar_url: str
    role: Literal["owner", "admin", "editor", "viewer"]
    joined_at: str


MemberOrWritten: TypeAlias = "Member | MemberWritten"


class MemberWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    user_id: str
    joined_at: str


class PasswordReset(TypedDict):
    device_token: str
    """Opaque, and not a credential. Send it with the next login from this device."""


class InvitationWithLink(TypedDict):
    invitation_id: str
    invitation_url: str | None
    """Shown in this response only."""
    expires_at: str


class Invitation(TypedDict):
    id: str
    email: str
    role: Literal["owner", "admin", "editor", "viewer"]
    created_by: str
    created_at: str
    expires_at: str


class ReceivedInvitation(TypedDict):
    id: str
    workspace_id: str
    workspace_name: str
    role: Literal["owner", "admin", "editor", "viewer"]
    invited_by: str
    invited_by_name: str
    created_at: str
    expires_at: str


ProjectOrWritten: TypeAlias = "Project | ProjectWritten"


class Project(TypedDict):
    id: str
    name: str
    description: str
    workspace_id: str
    icon: str
    guard: ProjectGuard
    created_at: str
    updated_at: str
    created_by: str
    retention: NotRequired[list[RetentionRule]]
    """Rules for the expiry of items. Absent for a key that is limited to namespaces. At most 20
    values.
    """


class ProjectGuard(TypedDict):
    """What happens to a secret in a write: it is left, reported, replaced, or refused."""

    secrets: ProjectGuardSecrets
    cards: Literal["off", "flag", "redact", "refuse"]
    """Numbers of payment cards."""
    ibans: Literal["off", "flag", "redact", "refuse"]
    """Numbers of bank accounts."""


class ProjectGuardSecrets(TypedDict):
    direct: Literal["off", "flag", "redact", "refuse"]
    """Secrets in what a client writes itself."""
    unattended: Literal["off", "flag", "redact", "refuse"]
    """Secrets in turns of conversations that nobody looks through."""


class RetentionRule(TypedDict):
    namespace_prefix: NotRequired[str]
    """Items in this namespace and those below it. With a trailing `:`, only those below it."""
    tags: NotRequired[list[str]]
    """Items with one of these tags. At most 16 values."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    """Items with this scope."""
    default_ttl: NotRequired[int]
    """Seconds that a new item without a `ttl` gets, unless it has the tag `pinned`. 1 to
    315,360,000.
    """
    max_ttl: NotRequired[int]
    """The longest `ttl`. A longer one, and none, become it. 1 to 315,360,000."""


class ProjectWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    id: str
    created_at: str
    updated_at: str


class ProjectChanges(TypedDict):
    name: NotRequired[str]
    """At most 120 characters."""
    description: NotRequired[str]
    """At most 2,000 characters."""
    icon: NotRequired[str]
    """At most 64 characters."""
    retention: NotRequired[list[RetentionRule]]
    """Rules for the expiry of items, the first that fits decides. They act on later writes. At most
    20 values.
    """
    guard: NotRequired[ProjectGuardChanges]


class ProjectGuardChanges(TypedDict):
    secrets: NotRequired[ProjectGuardChangesSecrets]
    cards: NotRequired[Literal["off", "flag", "redact", "refuse"]]
    """Numbers of payment cards."""
    ibans: NotRequired[Literal["off", "flag", "redact", "refuse"]]
    """Numbers of bank accounts."""


class ProjectGuardChangesSecrets(TypedDict):
    direct: NotRequired[Literal["off", "flag", "redact", "refuse"]]
    """Secrets in what a client writes itself."""
    unattended: NotRequired[Literal["off", "flag", "redact", "refuse"]]
    """Secrets in turns of conversations that nobody looks through."""


class Names(TypedDict):
    names: dict[str, Name | None]


class Name(TypedDict):
    name: str
    kind: Literal["person", "service", "key", "application", "project", "workspace"]
    """`service`: the account of a workspace's keys."""


class PublishedEvent(TypedDict):
    event_id: str
    published: bool
    timestamp: str
    recipients: int


class PublishEvent(TypedDict):
    type: str
    """At most 129 characters."""
    channel: NotRequired[str]
    data: dict[str, Any]
    workspace_id: NotRequired[str]
    """At most 64 characters."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    targets: NotRequired[list[str]]
    """At most 1,000 values."""


class Subscription(TypedDict):
    subscription_id: str
    channels: list[str]
    events: list[str]
    """Empty: all types on the channels."""
    filters: dict[str, str]
    delivery: SubscriptionDelivery
    created_at: str
    status: Literal["active", "paused", "disabled"]
    disabled_reason: NotRequired[Literal["gone", "failing", "credential_ended"]]
    failing_since: str | None
    """Start of the first attempt of the current run of failures. Null after a success or a resume."""
    last_attempt: SubscriptionLastAttempt | None
    """The attempt that started last, whatever its delivery. Null before the first one."""
    last_success_at: str | None
    """When the receiver last accepted a delivery."""
    waiting: int
    """Deliveries that are held, due, being sent or to be sent again. 1000 stands for 1000 or more.
    0 to 1,000.
    """


class SubscriptionDelivery(TypedDict):
    method: Literal["webhook"]
    url: str


class SubscriptionLastAttempt(TypedDict):
    """The attempt that started last, whatever its delivery. Null before the first one."""

    at: str
    status_code: int | None
    """Of the response. Null if there was none."""
    error: str | None
    """As in the attempts of a delivery. Null after a success."""


class CreateSubscription(TypedDict):
    channels: list[str]
    """At most 32 values."""
    events: NotRequired[list[str]]
    """At most 64 values."""
    filters: NotRequired[CreateSubscriptionFilters]
    delivery: CreateSubscriptionDelivery


class CreateSubscriptionFilters(TypedDict):
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    project_id: NotRequired[str]
    """At most 128 characters."""
    workspace_id: NotRequired[str]
    """At most 128 characters."""
    namespace: NotRequired[str]
    """At most 128 characters."""
    scope: NotRequired[str]
    """At most 128 characters."""


class CreateSubscriptionDelivery(TypedDict):
    method: Literal["webhook"]
    url: str
    """At most 2,048 characters."""
    headers: NotRequired[dict[str, str]]
    """Sent with every request. Encrypted at rest and never shown again."""


class Subscriptions(TypedDict):
    subscriptions: list[Subscription]
    total: int
    has_more: bool
    next_cursor: str | None


SubscriptionOrWritten: TypeAlias = "Subscription | SubscriptionWritten"


class SubscriptionWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    subscription_id: str
    created_at: str


class UpdateSubscription(TypedDict):
    status: NotRequired[Literal["active", "paused"]]
    channels: NotRequired[list[str]]
    """At most 32 values."""
    events: NotRequired[list[str]]
    """At most 64 values."""
    filters: NotRequired[UpdateSubscriptionFilters]
    delivery: NotRequired[UpdateSubscriptionDelivery]


class UpdateSubscriptionFilters(TypedDict):
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    project_id: NotRequired[str]
    """At most 128 characters."""
    workspace_id: NotRequired[str]
    """At most 128 characters."""
    namespace: NotRequired[str]
    """At most 128 characters."""
    scope: NotRequired[str]
    """At most 128 characters."""


class UpdateSubscriptionDelivery(TypedDict):
    method: NotRequired[Literal["webhook"]]
    url: NotRequired[str]
    """At most 2,048 characters."""
    headers: NotRequired[dict[str, str] | None]
    """Sent with every request. Encrypted at rest and never shown again."""


class DeletedSubscription(TypedDict):
    subscription_id: str
    deleted: bool


class SigningSecret(TypedDict):
    secret: str


class TestDelivery(TypedDict):
    event_id: str
    delivery_id: str


class Delivery(TypedDict):
    id: str
    """The `webhook-id` of its requests."""
    subscription_id: str
    event_id: str
    event_type: str
    status: Literal["waiting", "pending", "sending", "delivered", "failed", "expired"]
    attempts: int
    """Failed and successful attempts in the current schedule."""
    next_attempt_at: str | None
    last_status_code: int | None
    last_error: str | None
    created_at: str
    delivered_at: str | None
    expires_at: str


class DeliveryAttempt(TypedDict):
    id: str
    delivery_id: str
    number: int
    started_at: str
    duration_ms: int
    status_code: int | None
    error: str | None
    response: str
    """The beginning of the response, exactly as the receiver sent it: escape it before you show it."""


class DeliveryRequest(TypedDict):
    method: Literal["POST"]
    url: str
    """The current address of the subscription."""
    headers: dict[str, str]
    """Signed with the time of this response if the caller can read the signing secret."""
    custom_headers: list[str]
    """The names of the custom headers. Their values are not shown."""
    body: str
    """Exactly the bytes that every attempt sends."""


DeliveryOrWritten: TypeAlias = "Delivery | DeliveryWritten"


class DeliveryWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    id: str
    """The `webhook-id` of its requests."""
    created_at: str


class RecoveredDeliveries(TypedDict):
    recovered: int
    has_more: bool


class RecoverDeliveries(TypedDict):
    since: str
    until: NotRequired[str]


class DeliverySeries(TypedDict):
    since: str
    until: str
    step: Literal["hour", "day"]
    bounds_ms: list[int]
    """Inclusive upper bounds of the first 10 buckets of `latencies`. The last bucket has no bound."""
    truncated: bool
    """Present if only the newest 5000 deliveries of a subscription, or only the newest 20
    subscriptions, are included.
    """
    data: list[DeliverySeriesDataItem]


class DeliverySeriesDataItem(TypedDict):
    at: str
    """Start of the step. A delivery counts in the step in which it was created."""
    subscription_id: str
    delivered: int
    failed: int
    expired: int
    open: int
    """Held, due, or being sent."""
    latencies: list[int]
    """Number of successful deliveries in each bucket of the time from the event to its acceptance."""


class AsyncApiDocument(TypedDict):
    asyncapi: Literal["2.6.0"]


MemoryItemOrWritten: TypeAlias = "MemoryItem | MemoryItemWritten"


class MemoryItem(TypedDict):
    id: str
    content: MemoryItemContent
    context: MemoryItemContext
    tags: list[str]
    ttl: int | None
    custom_id: str | None
    visibility: Literal["project", "private"]
    permissions: NotRequired[list[MemoryItemPermission]]
    """Only on private items."""
    kind: Literal["note", "turn"]
    """A `turn` is a message of a conversation; any other item is a `note`."""
    role: Literal["user", "assistant", "system", "tool"] | None
    """Who says a turn; null for a note."""
    speaker: str | None
    """The `name` of the message of a turn."""
    embedding_status: Literal["pending", "processing", "completed", "failed"]
    embedding_model: str | None
    embedding_error: str | None
    version: int
    occurred_at: str | None
    """When it happened, according to the client."""
    created_at: str
    updated_at: str
    expires_at: str | None
    created_by: str
    created_via: str | None
    """What stored it: the id of a key, the `client_id` of an application, or `session`; null if
    unknown.
    """
    text_via: str | None
    """What wrote its text: the id of a key, the `client_id` of an application, or `session`; null
    if unknown.
    """
    status: Literal["current", "retired"]
    """A `retired` item is no longer true. No search finds it, and a read by its id and a list by
    `status` show it.
    """
    retired_at: NotRequired[str]
    """Only on retired items, like the next two fields."""
    retired_reason: NotRequired[str | None]
    superseded_by: NotRequired[str | None]
    """The id of the item that superseded this one; `gone` if that was erased; null if there is none
    or you cannot read it.
    """
    deduplicated: NotRequired[bool]
    """Only if `deduplicate` found this item."""
    warnings: NotRequired[list[MemoryItemWarning]]
    """Only if the write held secrets: what was found and where, never the secret."""
    warnings_omitted: NotRequired[int]
    """Warnings beyond the first 50."""


class MemoryItemContent(TypedDict):
    text: str
    type: str
    metadata: dict[str, Any]


class MemoryItemContext(TypedDict):
    project_id: str
    scope: Literal["global", "project", "conversation", "document", "session"]
    namespace: str
    conversation_id: NotRequired[str]
    document_id: NotRequired[str]
    session_id: NotRequired[str]
    subject: NotRequired[str]


class MemoryItemPermission(TypedDict):
    user_id: str
    access: Literal["read", "write"]


class MemoryItemWarning(TypedDict):
    path: str
    code: Literal["secret_found", "secret_redacted"]
    kind: str
    """Such as `github_token`, `private_key` or `card`. New kinds appear."""
    start: int
    """In characters of the value as it was sent."""
    end: int


class MemoryItemWritten(TypedDict):
    """The answer to a write by a caller who may not read the resource."""

    id: str
    version: int
    created_at: str
    updated_at: str
    embedding_status: Literal["pending", "processing", "completed", "failed"]
    status: Literal["current", "retired"]
    """A `retired` item is no longer true. No search finds it, and a read by its id and a list by
    `status` show it.
    """
    warnings: NotRequired[list[MemoryItemWrittenWarning]]
    """Only if the write held secrets: what was found and where, never the secret."""
    warnings_omitted: NotRequired[int]
    """Warnings beyond the first 50."""


class MemoryItemWrittenWarning(TypedDict):
    path: str
    code: Literal["secret_found", "secret_redacted"]
    kind: str
    """Such as `github_token`, `private_key` or `card`. New kinds appear."""
    start: int
    """In characters of the value as it was sent."""
    end: int


class MemoryItemStore(TypedDict):
    content: str | MemoryItemStoreContent
    context: NotRequired[MemoryItemStoreContext]
    tags: NotRequired[list[str]]
    """At most 32 values."""
    ttl: NotRequired[int | None]
    """1 to 315,360,000."""
    occurred_at: NotRequired[str | None]
    """When it happened, in the years 0001 to 9999. A date means midnight UTC."""
    custom_id: NotRequired[str | None]
    """At most 128 characters."""
    visibility: NotRequired[Literal["project", "private"]]
    permissions: NotRequired[list[MemoryItemStorePermission]]
    """At most 100 values."""
    deduplicate: NotRequired[bool]
    supersedes: NotRequired[list[str | MemoryItemStoreSupersede]]
    """Items that this one replaces: they are retired in the same commit. At most 10 values."""
    supersede_reason: NotRequired[str | None]
    """At most 256 characters."""
    wait_ms: NotRequired[int]
    """How long to wait for the embedding. 0 to 10,000."""


class MemoryItemStoreContent(TypedDict):
    text: str
    """At most 65,536 characters."""
    type: NotRequired[str]
    """At most 128 characters."""
    metadata: NotRequired[dict[str, Any]]
    """At most 16 KiB as JSON, depth 8."""


class MemoryItemStoreContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str]
    conversation_id: NotRequired[str | None]
    """At most 128 characters."""
    document_id: NotRequired[str | None]
    """At most 128 characters."""
    session_id: NotRequired[str | None]
    """At most 128 characters."""
    subject: NotRequired[str | None]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""


class MemoryItemStorePermission(TypedDict):
    user_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]


class MemoryItemStoreSupersede(TypedDict):
    id: str
    """At most 64 characters."""
    if_version: NotRequired[int]
    """The version that you read. At least 1."""


class MemorySearchReply(TypedDict):
    results: list[MemorySearchReplyResult]
    truncated: NotRequired[bool]
    """Only if results were omitted because of `max_tokens` or the limit of 2 MiB of texts and
    metadata.
    """
    total: int
    """Matches among the candidates considered."""
    mode: Literal["hybrid", "semantic", "keyword"]
    interpreted: MemorySearchReplyInterpreted | None
    pending: int
    """Items in scope that are waiting for their embedding, counted up to 1,000."""
    took_ms: int
    query_vector_id: str | None
    degraded: NotRequired[Literal["semantic_unavailable"]]
    rerank: NotRequired[MemorySearchReplyRerank]


class MemorySearchReplyResult(MemoryItem):
    similarity: float | None
    """Cosine similarity; null if only keywords or neighbours in a conversation found the item."""
    score: float
    """From 0 to 1: the weighted sum of the keyword score and the semantic score, raised for the
    speaker and the time that the query names and by neighbours in a conversation, and blended
    with `recency`.
    """
    rerank_score: NotRequired[float]
    """Score from the reranker. Its scale depends on the model, so compare it only within one
    response.
    """
    score_breakdown: NotRequired[MemorySearchReplyResultScoreBreakdown]
    snippet: str
    neighbors: NotRequired[list[MemorySearchReplyResultNeighbor]]
    """Only with `neighbors`, in order of occurrence."""


class MemorySearchReplyResultScoreBreakdown(TypedDict):
    keyword: MemorySearchReplyResultScoreBreakdownKeyword | None
    """Rank among the keyword matches considered, and the BM25 score relative to the highest score
    possible for the query.
    """
    semantic: MemorySearchReplyResultScoreBreakdownSemantic | None
    """Rank among the semantic matches considered, cosine similarity, and semantic score."""
    terms_left_out: int
    """Terms of the query that are too common to be read: they count nowhere."""
    weights: MemorySearchReplyResultScoreBreakdownWeights
    """The weights that were used. They add up to 1."""
    contributions: MemorySearchReplyResultScoreBreakdownContributions
    """What each part adds to `score`: its weight times its score, what the speaker and the time
    that the query names add, and what the neighbours in the conversation lend. A keyword match
    that is not a semantic match gets a share of the last semantic match.
    """
    recency: NotRequired[MemorySearchReplyResultScoreBreakdownRecency]
    """Only with `recency`: score = (1 − weight) · the sum of the contributions, at most 1, + weight
    · this score.
    """


class MemorySearchReplyResultScoreBreakdownKeyword(TypedDict):
    """Rank among the keyword matches considered, and the BM25 score relative to the highest score
    possible for the query.
    """

    rank: int
    score: float


class MemorySearchReplyResultScoreBreakdownSemantic(TypedDict):
    """Rank among the semantic matches considered, cosine similarity, and semantic score."""

    rank: int
    similarity: float
    score: float


class MemorySearchReplyResultScoreBreakdownWeights(TypedDict):
    """The weights that were used. They add up to 1."""

    keyword: float
    semantic: float


class MemorySearchReplyResultScoreBreakdownContributions(TypedDict):
    """What each part adds to `score`: its weight times its score, what the speaker and the time
    that the query names add, and what the neighbours in the conversation lend. A keyword match
    that is not a semantic match gets a share of the last semantic match.
    """

    keyword: float
    semantic: float
    speaker: float
    date: float
    neighbor: float


class MemorySearchReplyResultScoreBreakdownRecency(TypedDict):
    """Only with `recency`: score = (1 − weight) · the sum of the contributions, at most 1, + weight
    · this score.
    """

    weight: float
    score: float


class MemorySearchReplyResultNeighbor(TypedDict):
    id: str
    offset: int
    """Position: -1 is the item directly before the result, 1 the item directly after it."""
    text: str
    """Its first 2000 characters."""
    truncated: NotRequired[bool]
    """Only if the text is longer."""
    occurred_at: str | None
    created_at: str


class MemorySearchReplyInterpreted(TypedDict):
    """The time that the query names, by which items are ranked higher; null: none."""

    text: str
    """As the query says it."""
    after: str
    """The first instant of that time."""
    before: str
    """The first instant after that time."""
    every_year: NotRequired[bool]
    """Only if a month or day has no year: every year counts, and `after` and `before` are of the
    latest.
    """


class MemorySearchReplyRerank(TypedDict):
    applied: bool
    reason: NotRequired[Literal["unavailable", "late", "unusable", "busy"]]
    """Only if reranking was not applied: the reranker failed, was late or returned no usable
    scores, or other searches of the same user or tenant kept it busy.
    """


class MemorySearch(TypedDict):
    query: str
    """At most 4,096 characters."""
    context: NotRequired[MemorySearchContext]
    filters: NotRequired[Filters]
    limit: NotRequired[int]
    """Default: `10`. 1 to 100."""
    max_tokens: NotRequired[int]
    """Keeps the first results whose texts fit, at 3 characters per token; always at least one. 1 to
    100,000.
    """
    similarity_threshold: NotRequired[float]
    """0 to 1."""
    mode: NotRequired[Literal["hybrid", "semantic", "keyword"]]
    """Default: `"hybrid"`."""
    rerank: NotRequired[bool | MemorySearchRerank]
    """A cross-encoder reorders the best `top` results before they are cut to `limit`."""
    neighbors: NotRequired[int]
    """Shows this many items before and after each result in its conversation, regardless of the
    filters. Default: `0`. 0 to 5.
    """
    recency: NotRequired[MemorySearchRecency]
    """Blends age into the score: (1 − weight) · score + weight · 0.5^(age / half_life_days), by
    `occurred_at`, else `created_at`. An item in the future has age 0.
    """
    reference_date: NotRequired[str]
    """When the question is asked, with the offset of its calendar (default: now, in UTC). A time
    that the question names, such as "last week", is understood from it.
    """
    include: NotRequired[list[Literal["score_breakdown"]]]
    """At most 1 values."""


class MemorySearchContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str | Literal["*"]]
    namespace_prefix: NotRequired[str]
    """Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing
    `:`, only those below it.
    """
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    document_id: NotRequired[str]
    """At most 128 characters."""
    session_id: NotRequired[str]
    """At most 128 characters."""
    subject: NotRequired[str]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""
    namespaces: NotRequired[list[str]]
    """Instead of `namespace`. Namespaces that the credential cannot read are skipped. At most 16
    values.
    """


class MemorySearchRerank(TypedDict):
    top: NotRequired[int]
    """Default: `30`. 1 to 30."""


class MemorySearchRecency(TypedDict):
    """Blends age into the score: (1 − weight) · score + weight · 0.5^(age / half_life_days), by
    `occurred_at`, else `created_at`. An item in the future has age 0.
    """

    half_life_days: float
    """0.001 to 36,500."""
    weight: float
    """0 to 1."""


Filters: TypeAlias = "FiltersFields | Mapping[str, Any]"
"""Conditions that must all be true. Fields: `tags` with `tags_match` (`any`, the default, or
`all`); occurred_at, created_at, updated_at, expires_at with `>= > <= <` (or `gte gt lte lt`);
created_by, embedding_status, kind, custom_id, conversation_id, document_id, session_id, subject,
speaker with a value or `{"in": […]}`; `metadata.<path>` with a value, `in` or the comparisons; a
value also matches a list that contains it, and a dot within a name is `\\.`. `AND` and `OR` take
a list of filters; `NOT` takes a filter or a list, none of which may match. Up to 4 levels, 32
conditions and 256 values in total.
"""


class FiltersFields(TypedDict):
    """Conditions that must all be true. Fields: `tags` with `tags_match` (`any`, the default, or
    `all`); occurred_at, created_at, updated_at, expires_at with `>= > <= <` (or `gte gt lte
    lt`); created_by, embedding_status, kind, custom_id, conversation_id, document_id,
    session_id, subject, speaker with a value or `{"in": […]}`; `metadata.<path>` with a value,
    `in` or the comparisons; a value also matches a list that contains it, and a dot within a
    name is `\\.`. `AND` and `OR` take a list of filters; `NOT` takes a filter or a list, none of
    which may match. Up to 4 levels, 32 conditions and 256 values in total.
    """

    tags: NotRequired[list[str]]
    """At most 256 values."""
    tags_match: NotRequired[Literal["any", "all"]]
    occurred_at: NotRequired[FiltersFieldsOccurredAtFields | Mapping[str, Any]]
    created_at: NotRequired[FiltersFieldsCreatedAtFields | Mapping[str, Any]]
    updated_at: NotRequired[FiltersFieldsUpdatedAtFields | Mapping[str, Any]]
    expires_at: NotRequired[FiltersFieldsExpiresAtFields | Mapping[str, Any]]
    created_by: NotRequired[str | None | FiltersFieldsCreatedBy]
    embedding_status: NotRequired[Literal["pending", "processing", "completed", "failed"] | FiltersFieldsEmbeddingStatus]
    kind: NotRequired[Literal["note", "turn"] | FiltersFieldsKind]
    custom_id: NotRequired[str | None | FiltersFieldsCustomId]
    conversation_id: NotRequired[str | None | FiltersFieldsConversationId]
    document_id: NotRequired[str | None | FiltersFieldsDocumentId]
    session_id: NotRequired[str | None | FiltersFieldsSessionId]
    subject: NotRequired[str | None | FiltersFieldsSubject]
    speaker: NotRequired[str | None | FiltersFieldsSpeaker]
    AND: NotRequired[list[Filters]]
    """At most 32 values."""
    OR: NotRequired[list[Filters]]
    """At most 32 values."""
    NOT: NotRequired[Filters | list[Filters]]


class FiltersFieldsOccurredAtFields(TypedDict):
    gt: NotRequired[str]
    gte: NotRequired[str]
    lt: NotRequired[str]
    lte: NotRequired[str]


class FiltersFieldsCreatedAtFields(TypedDict):
    gt: NotRequired[str]
    gte: NotRequired[str]
    lt: NotRequired[str]
    lte: NotRequired[str]


class FiltersFieldsUpdatedAtFields(TypedDict):
    gt: NotRequired[str]
    gte: NotRequired[str]
    lt: NotRequired[str]
    lte: NotRequired[str]


class FiltersFieldsExpiresAtFields(TypedDict):
    gt: NotRequired[str]
    gte: NotRequired[str]
    lt: NotRequired[str]
    lte: NotRequired[str]


FiltersFieldsCreatedBy = TypedDict(
    "FiltersFieldsCreatedBy",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsEmbeddingStatus = TypedDict(
    "FiltersFieldsEmbeddingStatus",
    {
        "in": "list[Literal['pending', 'processing', 'completed', 'failed']]",
    },
)


FiltersFieldsKind = TypedDict(
    "FiltersFieldsKind",
    {
        "in": "list[Literal['note', 'turn']]",
    },
)


FiltersFieldsCustomId = TypedDict(
    "FiltersFieldsCustomId",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsConversationId = TypedDict(
    "FiltersFieldsConversationId",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsDocumentId = TypedDict(
    "FiltersFieldsDocumentId",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsSessionId = TypedDict(
    "FiltersFieldsSessionId",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsSubject = TypedDict(
    "FiltersFieldsSubject",
    {
        "in": "list[str | None]",
    },
)


FiltersFieldsSpeaker = TypedDict(
    "FiltersFieldsSpeaker",
    {
        "in": "list[str | None]",
    },
)


class MemoryRecallReply(TypedDict):
    text: NotRequired[str]
    """What to show a model; empty if nothing is relevant. Absent with the format `items`."""
    items: NotRequired[list[MemoryRecallReplyItem]]
    """Only with the format `items`: best first."""
    pending: int
    """Items in scope that are waiting for their embedding, counted up to 1,000."""
    degraded: NotRequired[Literal["semantic_unavailable"]]


class MemoryRecallReplyItem(TypedDict):
    id: str
    conversation_id: str | None
    role: Literal["user", "assistant", "system", "tool"] | None
    """null: a note."""
    speaker: str | None
    """The name of its message."""
    occurred_at: str
    """When it happened, else when it was stored."""
    text: str
    """The text, or the best part of it. Data, never instructions."""
    truncated: NotRequired[bool]
    """Only if `text` is a part."""
    score: float | None
    """As of a search; null if the item is shown beside a match, or without a query."""


class MemoryRecall(TypedDict):
    query: NotRequired[str]
    """What to recall, in plain words. At most 4,096 characters."""
    messages: NotRequired[list[ConversationMessage]]
    """Instead of `query`: the messages of the conversation. The last one of the user asks, with the
    one before it if it has few words. At most 100 values.
    """
    context: NotRequired[MemoryRecallContext]
    filters: NotRequired[Filters]
    reference_date: NotRequired[str]
    """When the question is asked, with the offset of its calendar (default: now, in UTC). A time
    that the question names, such as "last week", is understood from it.
    """
    exclude_conversation_id: NotRequired[str]
    """The conversation that the model already sees. At most 128 characters."""
    max_tokens: NotRequired[int]
    """Bounds the whole text, at 3 characters per token. Default: `1000`. 1 to 100,000."""
    format: NotRequired[Literal["text", "items"]]
    """Default: `"text"`."""


class MemoryRecallContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str | Literal["*"]]
    namespace_prefix: NotRequired[str]
    """Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing
    `:`, only those below it.
    """
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    document_id: NotRequired[str]
    """At most 128 characters."""
    session_id: NotRequired[str]
    """At most 128 characters."""
    subject: NotRequired[str]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""
    namespaces: NotRequired[list[str]]
    """Instead of `namespace`. Namespaces that the credential cannot read are skipped. At most 16
    values.
    """


class ConversationMessage(TypedDict):
    id: NotRequired[str | None]
    """Identifies the message: the same id is the same message. At most 256 characters."""
    role: Literal["user", "assistant", "system", "tool"]
    name: NotRequired[str | None]
    """Who says it. At most 128 characters."""
    content: str | list[MessagePart]
    timestamp: NotRequired[str | None]
    """When it was said. Without it, behind what the conversation has."""


class MessagePart(TypedDict):
    """A part with a `text` of type `text`, `input_text` or `output_text`, or any other, which is
    left out.
    """

    type: str
    """At most 64 characters."""


class MemoryNamespace(TypedDict):
    project_id: str
    namespace: str
    items: NotRequired[int]
    """Only with `include=counts`. Current items that you can read, among the newest 1,000 of the
    namespace.
    """
    items_truncated: NotRequired[bool]
    """Only if there are, or may be, more items."""
    last_write_at: NotRequired[str | None]
    """Only with `include=counts`. When one of the counted items was last stored or changed; null if
    none was counted.
    """


class MemorySubject(TypedDict):
    subject: str
    items: int
    """Items that you can read, counted up to 1,000."""
    items_truncated: NotRequired[bool]
    """Only if there are, or may be, more items."""
    last_write_at: str
    """When one of these items was last stored or changed."""


class BatchReport(TypedDict):
    results: list[BatchReportResult]
    success_count: int
    error_count: int


class BatchReportResult(TypedDict):
    index: int
    op: Literal["store", "update", "delete", "retire", "restore", "retrieve"] | None
    status: Literal["success", "error", "skipped"]
    id: NotRequired[str]
    item: NotRequired[MemoryItemOrWritten]
    error: NotRequired[BatchReportResultError]


class BatchReportResultError(TypedDict):
    status: int
    code: str
    detail: str


class Batch(TypedDict):
    operations: list[BatchOperation]
    """At most 50 values."""
    atomic: NotRequired[bool]
    """Apply all operations or none."""


BatchOperation: TypeAlias = "BatchStore | BatchUpdate | BatchDelete | BatchRetire | BatchRestore | BatchRetrieve"
"""`store` takes the fields of `POST /api/memory/store` except `wait_ms`; `update` takes an `id` and
the fields of `PATCH /v1/memory/items/{id}`; `retire` takes an `id` and a `reason`; `delete`,
`restore` and `retrieve` take an `id`.
"""


class MemoryItemUpdate(TypedDict):
    content: NotRequired[str | MemoryItemUpdateContent]
    context: NotRequired[MemoryItemUpdateContext]
    tags: NotRequired[list[str]]
    """At most 32 values."""
    ttl: NotRequired[int | None]
    """1 to 315,360,000."""
    occurred_at: NotRequired[str | None]
    """When it happened, in the years 0001 to 9999. A date means midnight UTC."""
    custom_id: NotRequired[str | None]
    """At most 128 characters."""
    visibility: NotRequired[Literal["project", "private"]]
    permissions: NotRequired[list[MemoryItemUpdatePermission]]
    """At most 100 values."""
    merge_metadata: NotRequired[bool]
    """Whether `content.metadata` changes only the keys that it names. null removes a key."""


class MemoryItemUpdateContent(TypedDict):
    text: NotRequired[str]
    """At most 65,536 characters."""
    type: NotRequired[str]
    """At most 128 characters."""
    metadata: NotRequired[dict[str, Any]]
    """At most 16 KiB as JSON, depth 8."""


class MemoryItemUpdateContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str]
    conversation_id: NotRequired[str | None]
    """At most 128 characters."""
    document_id: NotRequired[str | None]
    """At most 128 characters."""
    session_id: NotRequired[str | None]
    """At most 128 characters."""
    subject: NotRequired[str | None]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""


class MemoryItemUpdatePermission(TypedDict):
    user_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]


class MemoryRetirement(TypedDict):
    reason: NotRequired[str | None]
    """At most 256 characters."""


class MemoryVersion(TypedDict):
    version: int
    """The version that introduced this text."""
    text: str
    written_by: str
    written_at: str
    written_via: str | None
    """What wrote it, as in `text_via` of the item."""


class MemoryBulkDeleted(TypedDict):
    deleted: int
    """With `dry_run`: the number that would be deleted."""
    has_more: bool
    """Whether more items match: call again to delete them."""


class MemoryBulkDelete(TypedDict):
    context: NotRequired[MemoryBulkDeleteContext]
    filters: Filters
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both. Default: `"current"`."""
    dry_run: NotRequired[bool]
    """Only count the items; delete nothing. Default: `false`."""


class MemoryBulkDeleteContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str | Literal["*"]]
    namespace_prefix: NotRequired[str]
    """Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing
    `:`, only those below it.
    """
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    document_id: NotRequired[str]
    """At most 128 characters."""
    session_id: NotRequired[str]
    """At most 128 characters."""
    subject: NotRequired[str]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""
    namespaces: NotRequired[list[str]]
    """Instead of `namespace`. Namespaces that the credential cannot read are skipped. At most 16
    values.
    """


class MemoryImportReport(TypedDict):
    created: int
    updated: int
    """Lines that matched an existing item by `custom_id` or `deduplicate`."""
    failed: int
    errors_omitted: NotRequired[int]
    """Failed lines beyond the 50 that have an `error`."""
    times_kept: bool
    """Whether new items keep `created_at` and `updated_at` from their lines. False if the caller
    does not administer the project.
    """
    results: list[MemoryImportReportResult]


class MemoryImportReportResult(TypedDict):
    line: int
    """Counted from 1."""
    status: Literal["created", "updated", "error"]
    id: NotRequired[str]
    error: NotRequired[MemoryImportReportResultError]
    warnings: NotRequired[list[MemoryImportReportResultWarning]]
    """Only if the write held secrets: what was found and where, never the secret."""
    warnings_omitted: NotRequired[int]
    """Warnings beyond the first 50."""


class MemoryImportReportResultError(TypedDict):
    status: int
    code: str
    detail: str


class MemoryImportReportResultWarning(TypedDict):
    path: str
    code: Literal["secret_found", "secret_redacted"]
    kind: str
    """Such as `github_token`, `private_key` or `card`. New kinds appear."""
    start: int
    """In characters of the value as it was sent."""
    end: int


class ConversationIngestReport(TypedDict):
    conversation_id: str
    messages: list[ConversationIngestReportMessage]
    warnings: NotRequired[list[ConversationIngestReportWarning]]
    """Only if the write held secrets: what was found and where, never the secret."""
    warnings_omitted: NotRequired[int]
    """Warnings beyond the first 50."""


class ConversationIngestReportMessage(TypedDict):
    ids: list[str]
    """Of its items: one, or one for each part of a long text."""
    message_id: NotRequired[str]
    status: Literal["created", "updated", "unchanged", "retired", "skipped"]
    reason: NotRequired[Literal["role", "no_text", "history"]]
    """Why it was skipped."""
    left_out: NotRequired[list[ConversationIngestReportMessageLeftOutItem]]
    """Parts of its content that brought no text."""


class ConversationIngestReportMessageLeftOutItem(TypedDict):
    part: int
    type: str
    reason: Literal["no_text", "other_type"]


class ConversationIngestReportWarning(TypedDict):
    path: str
    code: Literal["secret_found", "secret_redacted"]
    kind: str
    """Such as `github_token`, `private_key` or `card`. New kinds appear."""
    start: int
    """In characters of the value as it was sent."""
    end: int


class ConversationIngest(TypedDict):
    conversation_id: str
    """At most 128 characters."""
    messages: list[ConversationMessage]
    """At most 100 values."""
    mode: NotRequired[Literal["append", "history"]]
    """`history`: the last messages of the conversation are sent each time, and only what is new is
    stored. Default: `"append"`.
    """
    context: NotRequired[ConversationIngestContext]
    tags: NotRequired[list[str]]
    """At most 32 values."""
    ttl: NotRequired[int | None]
    """1 to 315,360,000."""
    visibility: NotRequired[Literal["project", "private"]]
    permissions: NotRequired[list[ConversationIngestPermission]]
    """At most 100 values."""
    roles: NotRequired[list[Literal["user", "assistant", "system", "tool"]]]
    """Messages of other roles are skipped."""


class ConversationIngestContext(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str]
    document_id: NotRequired[str | None]
    """At most 128 characters."""
    session_id: NotRequired[str | None]
    """At most 128 characters."""
    subject: NotRequired[str | None]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""


class ConversationIngestPermission(TypedDict):
    user_id: str
    """At most 64 characters."""
    access: Literal["read", "write"]


class Conversation(TypedDict):
    conversation_id: str
    project_id: str
    namespace: str
    turns: int
    """Turns that you can read, counted up to 1,000."""
    turns_truncated: NotRequired[bool]
    """Only if there are, or may be, more turns."""
    first_at: str
    """When the first of these turns occurred."""
    last_at: str
    """When the last of these turns occurred."""
    subject: str | None
    """Of the first of these turns."""
    first_line: str
    """The first line of the first of these turns, at most 200 characters of it."""


class Usage(TypedDict):
    since: str
    until: str
    step: Literal["5m", "hour", "day"]
    whose: Literal["tenant", "user"]
    """`tenant` for the owner of the tenant and for those who manage one of its workspaces. Others
    see only their own requests and the contents of their workspaces.
    """
    data: list[UsageDataItem]
    reranks: UsageReranks
    """Calls of the reranker over the whole range."""
    secrets: list[UsageSecret]
    """Secrets that the guard found in writes over the whole range, by kind and by what it did."""
    items: UsageItems
    """Current and retired items. An expired one counts until it is removed, within minutes."""
    projects: UsageProjects
    region: NotRequired[Literal["wnam", "enam", "weur", "eeur", "apac", "oc"]]
    """Where the tenant is stored. Only for callers who see the tenant, in a deployment with
    regions.
    """
    embeddings_pending: int
    limits: list[UsageLimit]
    """The limits that apply now to the caller and to the key of this request."""


class UsageDataItem(TypedDict):
    at: str
    """Start of the step."""
    operation: str
    requests: int
    refusals: int
    """4xx without 429."""
    limited: int
    """429."""
    failures: int
    """5xx."""


class UsageReranks(TypedDict):
    """Calls of the reranker over the whole range."""

    calls: int
    failures: int


class UsageSecret(TypedDict):
    kind: str
    flagged: int
    redacted: int
    refused: int


class UsageItems(TypedDict):
    """Current and retired items. An expired one counts until it is removed, within minutes."""

    used: int
    quota: int | None


class UsageProjects(TypedDict):
    used: int
    quota: int | None


class UsageLimit(TypedDict):
    name: str
    limit: int
    """Permits in any window."""
    window_seconds: int
    per: str
    """What the limit counts by: each `user`, `key` or `subscription` has its own window."""


class RetentionApplied(TypedDict):
    items: int
    """Items that expire earlier. With `dry_run`: that would."""
    expired: int
    """Those of them that are gone at once."""
    has_more: bool
    """Whether there are further items: call again with `next_cursor`."""
    next_cursor: str | None


class RetentionApply(TypedDict):
    dry_run: NotRequired[bool]
    """Only count the items; change nothing. Default: `false`."""
    cursor: NotRequired[str]
    """`next_cursor` from the previous call. At most 1,024 characters."""


class ErasureDryRun(TypedDict):
    dry_run: bool
    covers: ErasureCovers
    counts: ErasureCounts
    kept: ErasureDryRunKept


class ErasureDryRunKept(TypedDict):
    key_ids: list[str]
    subscription_ids: list[str]


class ErasureCovers(TypedDict):
    project_ids: list[str]
    whole_tenant: bool
    """Whether these were all projects of the tenant."""


class ErasureCounts(TypedDict):
    items: int
    """Of everybody, private ones too."""
    retired: int
    """Those of them that were retired."""
    versions: int
    """Earlier texts."""
    vectors: int
    events: int
    """Events that lost their data, or namespace and conversation."""
    deliveries: int
    """Deliveries of these events that were still waiting."""


class Erasure(TypedDict):
    id: str
    status: Literal["running", "erased", "completed"]
    """`running`; `erased`: no answer, row or vector holds it; `completed`: the keyword index has
    been rewritten too.
    """
    kind: Literal["namespace", "subject"]
    name: str | None
    """What is erased, while it runs; then null."""
    name_hmac: str
    """HMAC-SHA-256 of the name under a key of the service."""
    covers: ErasureCovers
    counts: ErasureCounts
    digest: str
    """Over the erased items: from 32 zero bytes, for each id in ascending order SHA-256(digest ‖
    id), in hexadecimal.
    """
    kept: ErasureKept | None
    """Keys and subscriptions that name what was erased: change them yourself. Null while items are
    left.
    """
    requested_by: str
    requested_at: str
    erased_at: str | None
    index_rewritten_at: str | None
    """From then on no part of the keyword index holds a word of it."""
    restorable_until: str | None
    """Until then a restore of the database can bring it back. Backups of your own are unknown."""


class ErasureKept(TypedDict):
    """Keys and subscriptions that name what was erased: change them yourself. Null while items are
    left.
    """

    key_ids: list[str]
    subscription_ids: list[str]


class Erase(TypedDict):
    namespace: NotRequired[str]
    subject: NotRequired[str]
    """Instead of `namespace`: the subject of the items. At most 256 characters."""
    project_ids: NotRequired[list[str]]
    """Only in these projects. Default: in all that you administer. At most 1,000 values."""
    dry_run: NotRequired[bool]
    """Only count what would be erased. Default: `false`."""


class OperatorSettings(TypedDict):
    subject: str
    """`deployment`, or the id of a tenant, a user or an API key."""
    tenant_id: str | None
    updated_at: str
    limits: list[OperatorSettingsLimit]


class OperatorSettingsLimit(TypedDict):
    name: str
    account_class: Literal["users", "service_accounts"]
    set: int


class OperatorLimits(TypedDict):
    subject: str
    type: Literal["deployment", "tenant", "user", "api_key"]
    tenant_id: str | None
    """The tenant that the subject is or belongs to. Null for the deployment."""
    user_id: str | None
    """The user that the subject is, or that the key acts as. Null for the deployment and a tenant."""
    limits: list[OperatorLimitsLimit]


class OperatorLimitsLimit(TypedDict):
    name: str
    account_class: Literal["users", "service_accounts"]
    set: int | None
    """The value set for this subject itself; null if none is set."""
    limit: int
    """The limit that applies unless a more specific one is set: permits in any window."""
    max: int
    """The highest value that it can be set to."""
    window_seconds: int
    per: str
    """What the limit counts by: each of these has its own window."""


class OperatorChange(TypedDict):
    id: str
    at: str
    operator: str
    """The id of the key in `OPERATOR_KEYS`; `key_rotation` if a key was rotated and its successor
    took over its limits.
    """
    subject: str
    tenant_id: str | None
    changes: list[OperatorChangeChange]
    request_id: str


OperatorChangeChange = TypedDict(
    "OperatorChangeChange",
    {
        "name": "str",
        "account_class": "Literal['users', 'service_accounts']",
        "from": "int | None",
        "to": "int | None",
    },
)


class Landing(TypedDict):
    name: Literal["Recollect"]
    summary: str
    links: dict[str, str]


class Health(TypedDict):
    status: Literal["ok"]


class Ready(TypedDict):
    status: Literal["ready", "degraded", "unavailable"]
    failed_shards: list[str]
    """Shards with a database that does not respond or lacks a migration. Their tenants get 503."""
    checked_at: str
    checks: dict[str, ReadyChecksValue]
    faults: list[str]
    """What is wrong with the settings of the deployment. A faulty setting has no effect."""
    embedder: ReadyEmbedder
    """The embedding model, its dimension if known, and the reason if it cannot embed."""
    reranker: ReadyReranker | None
    """The model that `rerank` uses in a search; null if none is configured."""
    warnings: list[ReadyWarning]
    """Problems that will cause failures later unless someone acts."""
    backlog: dict[str, int]
    """Work that is due, counted up to 1000."""
    messages: dict[str, int]
    """Messages in each queue, delayed ones included."""


class ReadyChecksValue(TypedDict):
    status: Literal["ok", "failed"]
    took_ms: int


class ReadyEmbedder(TypedDict):
    """The embedding model, its dimension if known, and the reason if it cannot embed."""

    model: str
    dimension: int | None
    fault: str | None


class ReadyReranker(TypedDict):
    """The model that `rerank` uses in a search; null if none is configured."""

    model: str


class ReadyWarning(TypedDict):
    name: Literal["database_filling", "database_full", "tenants_missing", "audit_database_filling", "audit_bucket_unbound", "audit_bucket_failing", "embedding_failing"]
    shard: str
    detail: str


class MessageNewEvent(TypedDict):
    id: str
    type: Literal["message.new"]
    channel: Literal["conversation"]
    timestamp: str
    data: MessageNewEventData


class MessageNewEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""


class MessageUpdatedEvent(TypedDict):
    id: str
    type: Literal["message.updated"]
    channel: Literal["conversation"]
    timestamp: str
    data: MessageUpdatedEventData


class MessageUpdatedEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""


class ConversationCreatedEvent(TypedDict):
    id: str
    type: Literal["conversation.created"]
    channel: Literal["conversation"]
    timestamp: str
    data: ConversationCreatedEventData


class ConversationCreatedEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""


class ConversationUpdatedEvent(TypedDict):
    id: str
    type: Literal["conversation.updated"]
    channel: Literal["conversation"]
    timestamp: str
    data: ConversationUpdatedEventData


class ConversationUpdatedEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""


class TypingStartEvent(TypedDict):
    id: str
    type: Literal["typing.start"]
    channel: Literal["conversation"]
    timestamp: str
    data: TypingStartEventData


class TypingStartEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""
    expires_at: str
    """Set by the service to 10 s after the event: from then on, typing counts as stopped."""


class TypingStopEvent(TypedDict):
    id: str
    type: Literal["typing.stop"]
    channel: Literal["conversation"]
    timestamp: str
    data: TypingStopEventData


class TypingStopEventData(TypedDict):
    conversation_id: str
    """At most 128 characters."""


class MemoryCreatedEvent(TypedDict):
    id: str
    type: Literal["memory.created"]
    channel: Literal["memory"]
    timestamp: str
    data: MemoryCreatedEventData


class MemoryCreatedEventData(TypedDict):
    memory_id: str
    project_id: str
    namespace: str
    scope: str
    kind: Literal["note", "turn"]
    """A `turn` is a message of a conversation."""
    conversation_id: NotRequired[str]
    occurred_at: NotRequired[str]
    version: int
    """Shows which of two events of one item is newer. -9,007,199,254,740,991 to
    9,007,199,254,740,991.
    """
    actor: str
    """A user id, or `system`."""
    reason: NotRequired[str]
    """The cause if the item was not deleted by a request: `expired` or `erased`."""
    change: NotRequired[Literal["retired", "restored"]]
    """Only on `memory.updated`, if the item was retired or became current again."""
    superseded_by: NotRequired[str]
    """With `change: retired`: the item that supersedes it."""


class MemoryUpdatedEvent(TypedDict):
    id: str
    type: Literal["memory.updated"]
    channel: Literal["memory"]
    timestamp: str
    data: MemoryUpdatedEventData


class MemoryUpdatedEventData(TypedDict):
    memory_id: str
    project_id: str
    namespace: str
    scope: str
    kind: Literal["note", "turn"]
    """A `turn` is a message of a conversation."""
    conversation_id: NotRequired[str]
    occurred_at: NotRequired[str]
    version: int
    """Shows which of two events of one item is newer. -9,007,199,254,740,991 to
    9,007,199,254,740,991.
    """
    actor: str
    """A user id, or `system`."""
    reason: NotRequired[str]
    """The cause if the item was not deleted by a request: `expired` or `erased`."""
    change: NotRequired[Literal["retired", "restored"]]
    """Only on `memory.updated`, if the item was retired or became current again."""
    superseded_by: NotRequired[str]
    """With `change: retired`: the item that supersedes it."""


class MemoryDeletedEvent(TypedDict):
    id: str
    type: Literal["memory.deleted"]
    channel: Literal["memory"]
    timestamp: str
    data: MemoryDeletedEventData


class MemoryDeletedEventData(TypedDict):
    memory_id: str
    project_id: str
    namespace: str
    scope: str
    kind: Literal["note", "turn"]
    """A `turn` is a message of a conversation."""
    conversation_id: NotRequired[str]
    occurred_at: NotRequired[str]
    version: int
    """Shows which of two events of one item is newer. -9,007,199,254,740,991 to
    9,007,199,254,740,991.
    """
    actor: str
    """A user id, or `system`."""
    reason: NotRequired[str]
    """The cause if the item was not deleted by a request: `expired` or `erased`."""
    change: NotRequired[Literal["retired", "restored"]]
    """Only on `memory.updated`, if the item was retired or became current again."""
    superseded_by: NotRequired[str]
    """With `change: retired`: the item that supersedes it."""


class MemoryEmbeddingCompleteEvent(TypedDict):
    id: str
    type: Literal["memory.embedding_complete"]
    channel: Literal["memory"]
    timestamp: str
    data: MemoryEmbeddingCompleteEventData


class MemoryEmbeddingCompleteEventData(TypedDict):
    memory_id: str
    project_id: str
    namespace: str
    scope: str
    kind: Literal["note", "turn"]
    """A `turn` is a message of a conversation."""
    conversation_id: NotRequired[str]
    occurred_at: NotRequired[str]
    version: int
    """Shows which of two events of one item is newer. -9,007,199,254,740,991 to
    9,007,199,254,740,991.
    """
    actor: str
    """A user id, or `system`."""
    reason: NotRequired[str]
    """The cause if the item was not deleted by a request: `expired` or `erased`."""
    change: NotRequired[Literal["retired", "restored"]]
    """Only on `memory.updated`, if the item was retired or became current again."""
    superseded_by: NotRequired[str]
    """With `change: retired`: the item that supersedes it."""


class OfferingInstalledEvent(TypedDict):
    id: str
    type: Literal["offering.installed"]
    channel: Literal["offering"]
    timestamp: str
    data: OfferingInstalledEventData


class OfferingInstalledEventData(TypedDict):
    pass


class OfferingUninstalledEvent(TypedDict):
    id: str
    type: Literal["offering.uninstalled"]
    channel: Literal["offering"]
    timestamp: str
    data: OfferingUninstalledEventData


class OfferingUninstalledEventData(TypedDict):
    pass


class OfferingUpdatedEvent(TypedDict):
    id: str
    type: Literal["offering.updated"]
    channel: Literal["offering"]
    timestamp: str
    data: OfferingUpdatedEventData


class OfferingUpdatedEventData(TypedDict):
    pass


class OfferingStatusChangeEvent(TypedDict):
    id: str
    type: Literal["offering.status_change"]
    channel: Literal["offering"]
    timestamp: str
    data: OfferingStatusChangeEventData


class OfferingStatusChangeEventData(TypedDict):
    pass


class SystemNotificationEvent(TypedDict):
    id: str
    type: Literal["system.notification"]
    channel: Literal["system"]
    timestamp: str
    data: SystemNotificationEventData


class SystemNotificationEventData(TypedDict):
    code: NotRequired[str]
    """Only the service sends `api_key.created`, `deliveries.expired`, `invitation.accepted`,
    `invitation.received`, `invitation.refused`, `reset_link.created`, `session.new_device`,
    `subscription.disabled`, `tenant.owner`.
    """
    message: NotRequired[str]
    sender: NotRequired[str]
    """Set by the service: the user who published the event. Absent from events of the service."""
    reason: NotRequired[str]
    """With `subscription.disabled`: `gone`, `failing` or `credential_ended`."""
    subscription_id: NotRequired[str]
    key_id: NotRequired[str]
    invitation_id: NotRequired[str]
    workspace_id: NotRequired[str | None]
    session_id: NotRequired[str]
    user_id: NotRequired[str]
    """With `invitation.accepted` and `invitation.refused`: who answered."""
    made_by: NotRequired[str]
    """With `reset_link.created`: who created the link."""
    expires_at: NotRequired[str]
    """With `reset_link.created`: when the link expires."""


class SystemStatusEvent(TypedDict):
    id: str
    type: Literal["system.status"]
    channel: Literal["system"]
    timestamp: str
    data: SystemStatusEventData


class SystemStatusEventData(TypedDict):
    code: NotRequired[str | int]
    """With `closing`: the numeric close code of the WebSocket."""
    message: NotRequired[str]
    sender: NotRequired[str]
    """Set by the service: the user who published the event. Absent from events of the service."""
    state: NotRequired[str]
    """`connected` in the first frame of a socket, with `recovered`, `replayed` and `last_event_id`.
    `closing` in the last frame before the service closes the socket, with `code` and `reason`.
    Only the service sends these two states.
    """
    recovered: NotRequired[bool]
    """Whether all missed events follow; otherwise none do."""
    replayed: NotRequired[int]
    """Number of missed events that follow immediately. 0 to 9,007,199,254,740,991."""
    last_event_id: NotRequired[str | None]
    """The `last_event_id` that the client sent."""
    hint: NotRequired[str]
    """With `connected`: the channel that a misspelt one probably means."""
    reason: NotRequired[str]
    """With `closing`: the reason for the close."""


class SystemMaintenanceEvent(TypedDict):
    id: str
    type: Literal["system.maintenance"]
    channel: Literal["system"]
    timestamp: str
    data: SystemMaintenanceEventData


class SystemMaintenanceEventData(TypedDict):
    code: NotRequired[str]
    message: NotRequired[str]
    sender: NotRequired[str]
    """Set by the service: the user who published the event. Absent from events of the service."""


RecollectEvent: TypeAlias = "MessageNewEvent | MessageUpdatedEvent | ConversationCreatedEvent | ConversationUpdatedEvent | TypingStartEvent | TypingStopEvent | MemoryCreatedEvent | MemoryUpdatedEvent | MemoryDeletedEvent | MemoryEmbeddingCompleteEvent | OfferingInstalledEvent | OfferingUninstalledEvent | OfferingUpdatedEvent | OfferingStatusChangeEvent | SystemNotificationEvent | SystemStatusEvent | SystemMaintenanceEvent"
"""An event of the catalogue. Ignore types that you do not know: a version may add some."""


class ExportMemoriesQuery(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str | Literal["*"]]
    namespace_prefix: NotRequired[str]
    """Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing
    `:`, only those below it.
    """
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    document_id: NotRequired[str]
    """At most 128 characters."""
    session_id: NotRequired[str]
    """At most 128 characters."""
    subject: NotRequired[str]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""
    namespaces: NotRequired[str | list[str]]
    tags: NotRequired[str | list[str]]
    tags_match: NotRequired[Literal["any", "all"]]
    embedding_status: NotRequired[Literal["pending", "processing", "completed", "failed"]]
    kind: NotRequired[Literal["note", "turn"]]
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    occurred_after: NotRequired[str]
    occurred_before: NotRequired[str]
    filters: NotRequired[str]
    """URL-encoded JSON of `Filters`."""
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both."""


class CreateAppBody(TypedDict):
    name: str
    """At most 120 characters."""
    type: NotRequired[Literal["confidential", "public"]]
    """Default: `"confidential"`."""
    redirect_uris: list[str]
    """Absolute https URLs without a fragment, compared as exact strings. At most 20 values."""
    scopes: list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]
    """The scopes that a user can grant to it. At most 10 values."""
    require_pkce: NotRequired[bool]
    refresh_grace_seconds: NotRequired[int]
    """Seconds in which an exchanged refresh token that is sent again gets the same successor; 0:
    never. Default: `30`. 0 to 60.
    """


class ListAppsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListAppsReply(TypedDict):
    data: list[Application]
    has_more: bool
    next_cursor: str | None


class UpdateAppBody(TypedDict):
    name: NotRequired[str]
    """At most 120 characters."""
    redirect_uris: NotRequired[list[str]]
    """Absolute https URLs without a fragment, compared as exact strings. At most 20 values."""
    scopes: NotRequired[list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]]
    """The scopes that a user can grant to it. At most 10 values."""
    require_pkce: NotRequired[bool]
    refresh_grace_seconds: NotRequired[int]
    """Seconds in which an exchanged refresh token that is sent again gets the same successor; 0:
    never. 0 to 60.
    """


class RotateAppSecretBody(TypedDict):
    overlap_seconds: NotRequired[int]
    """Seconds for which the old secret still works. Default: `86400`. 0 to 604,800."""


class ListAuditRowsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    actor: NotRequired[str]
    """At most 64 characters."""
    action: NotRequired[str]
    """At most 64 characters."""
    resource_id: NotRequired[str]
    """At most 64 characters."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    credential_id: NotRequired[str]
    """Of a key, a session or a token, as `credential.id` has it. At most 64 characters."""
    app_id: NotRequired[str]
    """At most 2,000 characters."""
    outcome: NotRequired[Literal["success", "invalid_json", "conflicting_credentials", "unauthenticated", "invalid_token", "insufficient_scope", "forbidden", "session_required", "user_context_required", "quota_exceeded", "not_found", "method_not_allowed", "conflict", "custom_id_taken", "email_taken", "last_owner", "idempotency_mismatch", "idempotency_in_progress", "precondition_failed", "payload_too_large", "unsupported_media_type", "validation_failed", "upgrade_required", "rate_limited", "internal", "dependency_unavailable", "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type", "invalid_scope", "invalid_target", "invalid_redirect_uri", "invalid_client_metadata", "access_denied", "temporarily_unavailable", "server_error"]]
    """`success`, or an error code of the API or of OAuth."""
    request_id: NotRequired[str]
    """At most 64 characters."""
    since: NotRequired[str]
    until: NotRequired[str]
    page_reads: NotRequired[Literal["include", "exclude"]]
    """`exclude` omits the reads that the portal made to show its pages."""


class ListAuditRowsReply(TypedDict):
    data: list[AuditRow]
    has_more: bool
    next_cursor: str | None


class ListConversationsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    namespace: NotRequired[str | Literal["*"]]
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both."""


class ListConversationsReply(TypedDict):
    data: list[Conversation]
    has_more: bool
    next_cursor: str | None


class GetConversationQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    namespace: NotRequired[str]
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both."""


class GetConversationReply(TypedDict):
    data: list[MemoryItem]
    has_more: bool
    next_cursor: str | None


class DeleteConversationQuery(TypedDict):
    project_id: NotRequired[str]
    """At most 64 characters."""
    namespace: NotRequired[str]


class ListDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    status: NotRequired[Literal["waiting", "pending", "sending", "delivered", "failed", "expired"]]
    since: NotRequired[str]
    until: NotRequired[str]


class ListDeliveriesReply(TypedDict):
    data: list[Delivery]
    has_more: bool
    next_cursor: str | None


class ListDeliveryAttemptsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListDeliveryAttemptsReply(TypedDict):
    data: list[DeliveryAttempt]
    has_more: bool
    next_cursor: str | None


class GetDeliverySeriesQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]
    step: NotRequired[Literal["hour", "day"]]
    subscription_id: NotRequired[str | list[str]]
    """Repeatable, up to 20 times (default: the newest 20)."""


class ListErasuresQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListErasuresReply(TypedDict):
    data: list[Erasure]
    has_more: bool
    next_cursor: str | None


class CreateApiKeyBody(TypedDict):
    name: str
    """At most 120 characters."""
    scopes: list[Literal["read:memory", "write:memory", "read:projects", "write:projects", "read:profile", "write:profile", "read:events", "write:events", "read:audit", "admin:workspace"]]
    environment: NotRequired[Literal["live", "test"]]
    """Default: `"live"`."""
    owner: NotRequired[Literal["user", "workspace"]]
    """Default: `"user"`."""
    workspace_id: NotRequired[str]
    """With `owner: "workspace"`: the workspace that owns the key. Default: the workspace of the
    default project. At most 64 characters.
    """
    permissions: NotRequired[list[KeyPermission] | None]
    """At most 100 values."""
    expires_at: NotRequired[str | None]


class ListApiKeysQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    include: NotRequired[Literal["revoked"]]


class ListApiKeysReply(TypedDict):
    data: list[ApiKey]
    has_more: bool
    next_cursor: str | None


class GetApiKeyQuery(TypedDict):
    include: NotRequired[Literal["revoked"]]


class RotateApiKeyBody(TypedDict):
    overlap_seconds: NotRequired[int]
    """Seconds for which the old secret still works; never past its own expiry. Default: `86400`. 0
    to 604,800.
    """


class DeleteMeBody(TypedDict):
    password: str


class ListNamesBody(TypedDict):
    ids: list[str]
    """At most 100 values."""


class ChangePasswordBody(TypedDict):
    current_password: str
    new_password: str
    """At most 256 characters."""
    keep_keys: NotRequired[bool]
    """Keep your API keys. Default: `false`."""


class ListSessionsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListSessionsReply(TypedDict):
    data: list[Session]
    has_more: bool
    next_cursor: str | None


class ListGrantsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListGrantsReply(TypedDict):
    data: list[Grant]
    has_more: bool
    next_cursor: str | None


class ListReceivedInvitationsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListReceivedInvitationsReply(TypedDict):
    data: list[ReceivedInvitation]
    has_more: bool
    next_cursor: str | None


class ListMembersQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListMembersReply(TypedDict):
    data: list[Member]
    has_more: bool
    next_cursor: str | None


class InviteMemberBody(TypedDict):
    email: str
    """At most 254 characters."""
    role: Literal["owner", "admin", "editor", "viewer"]


class ChangeMemberRoleBody(TypedDict):
    role: Literal["owner", "admin", "editor", "viewer"]


class ListInvitationsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListInvitationsReply(TypedDict):
    data: list[Invitation]
    has_more: bool
    next_cursor: str | None


class ListMemoriesQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    scope: NotRequired[Literal["global", "project", "conversation", "document", "session"]]
    namespace: NotRequired[str | Literal["*"]]
    namespace_prefix: NotRequired[str]
    """Instead of `namespace`. This namespace and those below it, separated by `:`. With a trailing
    `:`, only those below it.
    """
    conversation_id: NotRequired[str]
    """At most 128 characters."""
    document_id: NotRequired[str]
    """At most 128 characters."""
    session_id: NotRequired[str]
    """At most 128 characters."""
    subject: NotRequired[str]
    """The person or thing that the item is about, as a name or an id. At most 256 characters."""
    namespaces: NotRequired[str | list[str]]
    tags: NotRequired[str | list[str]]
    tags_match: NotRequired[Literal["any", "all"]]
    embedding_status: NotRequired[Literal["pending", "processing", "completed", "failed"]]
    kind: NotRequired[Literal["note", "turn"]]
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    occurred_after: NotRequired[str]
    occurred_before: NotRequired[str]
    q: NotRequired[str]
    """Words that an item must contain, all of them. At most 4,096 characters."""
    filters: NotRequired[str]
    """URL-encoded JSON of `Filters`."""
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both."""
    sort: NotRequired[Literal["-created_at", "created_at", "-occurred_at", "occurred_at"]]
    """Sorting by `occurred_at` uses `created_at` for items without it."""


class ListMemoriesReply(TypedDict):
    data: list[MemoryItem]
    has_more: bool
    next_cursor: str | None


class ListNamespacesQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    prefix: NotRequired[str]
    """This namespace and those below it, separated by `:`. With a trailing `:`, only those below
    it.
    """
    include: NotRequired[Literal["counts"]]
    """Adds the counts of each namespace. Such a page has at most 20."""


class ListNamespacesReply(TypedDict):
    data: list[MemoryNamespace]
    has_more: bool
    next_cursor: str | None


class ListSubjectsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    project_id: NotRequired[str]
    """At most 64 characters."""
    prefix: NotRequired[str]
    """The characters with which a subject begins. At most 256 characters."""
    status: NotRequired[Literal["current", "retired", "any"]]
    """Which items: `current` ones, `retired` ones, or both."""


class ListSubjectsReply(TypedDict):
    data: list[MemorySubject]
    has_more: bool
    next_cursor: str | None


class ListMemoryVersionsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListMemoryVersionsReply(TypedDict):
    data: list[MemoryVersion]
    has_more: bool
    next_cursor: str | None


class CreateProjectBody(TypedDict):
    name: str
    """At most 120 characters."""
    workspace_id: str
    """At most 64 characters."""
    description: NotRequired[str]
    """At most 2,000 characters."""
    icon: NotRequired[str]
    """At most 64 characters."""


class ListProjectsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    workspace_id: NotRequired[str]
    """At most 64 characters."""


class ListProjectsReply(TypedDict):
    data: list[Project]
    has_more: bool
    next_cursor: str | None


class ListSubscriptionsQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""
    health: NotRequired[Literal["failing"]]
    """`failing`: only those that deliver nothing. Either every attempt since `failing_since` has
    failed, or the service disabled the subscription because of its receiver.
    """


class GetUsageQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]
    step: NotRequired[Literal["5m", "hour", "day"]]
    page_reads: NotRequired[Literal["include", "exclude"]]
    """`exclude` omits the reads that the portal made to show its pages."""


class GetUsageSeriesQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]
    step: NotRequired[Literal["hour", "day"]]
    by: NotRequired[Literal["operation", "credential", "project", "outcome"]]
    page_reads: NotRequired[Literal["include", "exclude"]]
    """`exclude` omits the reads that the portal made to show its pages."""


class CreateWorkspaceBody(TypedDict):
    name: str
    """At most 120 characters."""


class ListWorkspacesQuery(TypedDict):
    limit: NotRequired[int]
    """1 to 100."""


class ListWorkspacesReply(TypedDict):
    data: list[Workspace]
    has_more: bool
    next_cursor: str | None


class UpdateWorkspaceBody(TypedDict):
    name: NotRequired[str]
    """At most 120 characters."""
