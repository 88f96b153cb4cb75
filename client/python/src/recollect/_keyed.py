# Made from the documents of the service by `npm run docs`. Do not edit.
"""The paths of POST operations that take an Idempotency-Key."""

KEYED = frozenset(
    {
        "/api/events/publish",
        "/api/events/subscriptions",
        "/api/memory/batch",
        "/api/memory/store",
        "/api/projects",
        "/v1/api-keys",
        "/v1/api-keys/{id}/rotate",
        "/v1/apps",
        "/v1/apps/{id}/rotate-secret",
        "/v1/events/subscriptions/{id}/secret/rotate",
        "/v1/events/subscriptions/{id}/test",
        "/v1/invitations/{id}/accept",
        "/v1/memory/import",
        "/v1/memory/ingest",
        "/v1/tenant/people/{user_id}/reset-link",
        "/v1/workspaces",
        "/v1/workspaces/{id}/invitations/{invitation_id}/renew",
        "/v1/workspaces/{id}/members",
        "/v1/workspaces/{id}/members/{user_id}/reset-link",
    }
)
