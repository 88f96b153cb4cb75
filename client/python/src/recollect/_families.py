# Made from the documents of the service by `npm run docs`. Do not edit.
"""The functions of the clients, a class for each family."""

from typing import Unpack

from . import types as t
from ._events import AsyncListener, Listener
from ._family import AsyncFamily, AsyncPages, Family, Pages
from ._transfer import AsyncAuditLog, AsyncTransfer, AuditLog, Transfer

class Apps(Family):
    def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateAppBody]) -> t.ApplicationWithSecret:
        """Create an OAuth application.

        The `client_secret` of a confidential application is shown in this response only.

        Also returns 422 if a redirect URI is not in its normal form, has user info, or points to
        a loopback host (`invalid_redirect_uri`); `require_pkce` is false for a public
        application (`invalid_value`).

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/apps", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListAppsQuery]) -> Pages[t.ListAppsReply, t.Application]:
        """List your OAuth applications.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/apps", (), query=query)

    def retrieve(self, id: str, /) -> t.Application:
        """Get an OAuth application.

        Needs a session token · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/apps/{id}", (id,))

    def update(self, id: str, /, **body: Unpack[t.UpdateAppBody]) -> t.Application:
        """Change an OAuth application.

        Also returns 422 if a redirect URI is not in its normal form, has user info, or points to
        a loopback host (`invalid_redirect_uri`); `require_pkce` is false for a public
        application (`invalid_value`).

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/apps/{id}", (id,), body=body)

    def rotate_secret(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateAppSecretBody]) -> t.ApplicationWithSecret:
        """Rotate the secret of an OAuth application.

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/apps/{id}/rotate-secret", (id,), body=body, idempotency_key=idempotency_key)

    def delete(self, id: str, /) -> None:
        """Delete an OAuth application.

        Its refresh tokens end immediately, its access tokens within 60 seconds.

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/apps/{id}", (id,))


class Audit(AuditLog):
    def list(self, /, **query: Unpack[t.ListAuditRowsQuery]) -> Pages[t.ListAuditRowsReply, t.AuditRow]:
        """Read the audit log.

        Newest first. Owners and admins see their workspaces; others see their own actions. Rows
        appear within a minute. `Accept: application/x-ndjson` returns all rows, one per line.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return self._pages("/v1/audit", (), query=query)


class Conversations(Family):
    def list(self, /, **query: Unpack[t.ListConversationsQuery]) -> Pages[t.ListConversationsReply, t.Conversation]:
        """List conversations.

        Lists the conversations of one namespace of one project, or of all namespaces with `*`,
        in which you can read a turn: the one with the newest turn first. A page can have fewer
        entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/conversations", (), query=query)

    def retrieve(self, conversation_id: str, /, **query: Unpack[t.GetConversationQuery]) -> Pages[t.GetConversationReply, t.MemoryItem]:
        """List the turns of a conversation.

        Lists the turns of a conversation that you can read, in order. A conversation in which
        you can read none is an empty list.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/conversations/{conversation_id}", (conversation_id,), query=query)

    def delete(self, conversation_id: str, /, **query: Unpack[t.DeleteConversationQuery]) -> t.MemoryBulkDeleted:
        """Delete a conversation.

        Deletes up to 1,000 turns of a conversation per call, retired ones too. While `has_more`
        is true, call again. Turns that you cannot change are kept, and so are notes that name
        the conversation. It also needs `read:memory`, because the answer tells how many turns
        there were.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/memory/conversations/{conversation_id}", (conversation_id,), query=query)


class Deliveries(Family):
    def list(self, id: str, /, **query: Unpack[t.ListDeliveriesQuery]) -> Pages[t.ListDeliveriesReply, t.Delivery]:
        """List deliveries.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/v1/events/subscriptions/{id}/deliveries", (id,), query=query)

    def retrieve(self, id: str, /) -> t.Delivery:
        """Get a delivery.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/events/deliveries/{id}", (id,))

    def request(self, id: str, /) -> t.DeliveryRequest:
        """Show what a delivery sends.

        Returns the request that its attempts send: address, headers and body. The values of
        custom headers are not shown. With `write:events` it has a fresh signature, so that a
        receiver accepts it when you send it by hand.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/events/deliveries/{id}/request", (id,))

    def attempts(self, id: str, /, **query: Unpack[t.ListDeliveryAttemptsQuery]) -> Pages[t.ListDeliveryAttemptsReply, t.DeliveryAttempt]:
        """List the attempts of a delivery.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/v1/events/deliveries/{id}/attempts", (id,), query=query)

    def series(self, /, **query: Unpack[t.GetDeliverySeriesQuery]) -> t.DeliverySeries:
        """Read deliveries over time.

        Deliveries of each of your subscriptions by outcome and latency, per hour or day.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/events/delivery-series", (), query=query)

    def retry(self, id: str, /) -> t.DeliveryOrWritten:
        """Send a delivery again.

        Scope `write:events` · Without `read:events`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/events/deliveries/{id}/retry", (id,))


class Erasures(Family):
    def create(self, /, **body: Unpack[t.Erase]) -> t.ErasureDryRun | t.Erasure:
        """Erase a subject or a namespace with a receipt.

        Erases a subject or a namespace in all projects that you administer, or in those of
        `project_ids`: items of everybody with their earlier texts, vectors and events. Until it
        has ended, writes to it are 409. The same request returns the erasure that runs. With
        `dry_run`, it returns 200 and only counts.

        Also returns 422 if neither `subject` nor `namespace` is sent (`required`); `subject` and
        `namespace` are both sent (`invalid_combination`).

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/erasures", (), body=body)

    def retrieve(self, id: str, /) -> t.Erasure:
        """Get the receipt of an erasure.

        For the user who requested it, the owner of the tenant, and those who administer all of
        its projects. Kept for good.

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/erasures/{id}", (id,))

    def list(self, /, **query: Unpack[t.ListErasuresQuery]) -> Pages[t.ListErasuresReply, t.Erasure]:
        """List the receipts of erasures.

        Newest first.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/erasures", (), query=query)


class Events(Listener):
    def publish(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.PublishEvent]) -> t.PublishedEvent:
        """Publish an event.

        Delivers to all members who can read the project, or to those of them in `targets`. A
        built-in type belongs to its own channel; any other channel and `word.word` type is yours
        to use. Without `workspace_id` and `project_id`, the event goes to the default project.
        Filters read `conversation_id`, `namespace` and `scope` from `data`.

        Also returns 422 if an integer beyond ±9007199254740991 is sent without a point and an
        exponent (`unsafe_integer`); your own event type is sent without a `channel`
        (`required`); the type does not belong to the channel (`wrong_channel`); `data` contains
        a state, a code or a sender that only the service can set (`reserved`); `data` lacks a
        field that its type needs (see the events) (`invalid_data`); `data` has more than 32 KiB
        as JSON (`too_large`).

        Scope `write:events` · At most 20 in 60 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/api/events/publish", (), body=body, idempotency_key=idempotency_key)


class Keys(Family):
    def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateApiKeyBody]) -> t.ApiKeyWithSecret:
        """Create an API key.

        Needs a session, or a key with `admin:workspace`, which can create only narrower keys.
        The secret is shown once.

        Also returns 422 if `expires_at` is not in the future (`in_the_past`); `workspace_id` is
        sent, but `owner` is not `workspace` (`not_applicable`); a permission names a project
        that the caller cannot see (`not_found`); two permissions name the same project
        (`duplicate`).

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/api-keys", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListApiKeysQuery]) -> Pages[t.ListApiKeysReply, t.ApiKey]:
        """List API keys.

        `include=revoked` adds keys that were revoked within the last 90 days.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/api-keys", (), query=query)

    def retrieve(self, id: str, /, **query: Unpack[t.GetApiKeyQuery]) -> t.ApiKey:
        """Get an API key.

        `include=revoked` also finds a key that was revoked within the last 90 days.

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/api-keys/{id}", (id,), query=query)

    def rotate(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateApiKeyBody]) -> t.ApiKeyWithSecret:
        """Rotate an API key.

        Returns a new key with the same scopes and permissions. Both secrets work during the
        overlap. The new secret is shown once.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/api-keys/{id}/rotate", (id,), body=body, idempotency_key=idempotency_key)

    def delete(self, id: str, /) -> None:
        """Revoke an API key.

        The key is refused from the next request on, and its sockets close.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/api-keys/{id}", (id,))


class Me(Family):
    def retrieve(self, /) -> t.User:
        """Get your profile.

        Scope `read:profile` · At most 20 in 1 s per user
        """
        return self._call("GET", "/api/users/me", ())

    def update(self, /, **body: Unpack[t.ProfileChanges]) -> t.UserOrWritten:
        """Change your profile.

        Also returns 422 if `settings.language` is not a BCP 47 tag (`invalid_language`);
        `avatar_url` is not an https URL (`invalid_format`); `avatar_url` is not an https URL
        (`invalid_union`).

        Scope `write:profile` · Without `read:profile`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/api/users/me", (), body=body)

    def delete(self, /, **body: Unpack[t.DeleteMeBody]) -> None:
        """Delete your account.

        Erases your account and everything that only you own. The password must be sent again.

        Also returns 422 if the password is wrong (`wrong_password`).

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/api/users/me", (), body=body)

    def export(self, /) -> t.PersonalData:
        """Export your personal data.

        Needs a session token · Scope `read:profile` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/users/me/export", ())

    def names(self, /, **body: Unpack[t.ListNamesBody]) -> t.Names:
        """Get the names of ids.

        Names of people, service accounts, keys, applications, projects and workspaces by their
        ids; null for an id that you cannot see. Names of projects and workspaces need
        `read:projects`.

        Scope `read:memory` or `read:projects` or `read:audit` · At most 20 in 1 s per user
        """
        return self._call("POST", "/v1/names", (), body=body)

    def change_password(self, /, **body: Unpack[t.ChangePasswordBody]) -> None:
        """Change the password.

        Ends all other sessions, all grants to applications and, unless `keep_keys` is true, your
        API keys.

        Also returns 422 if the password is wrong (`wrong_password`).

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/users/me/password", (), body=body)

    def sessions(self, /, **query: Unpack[t.ListSessionsQuery]) -> Pages[t.ListSessionsReply, t.Session]:
        """List your sessions.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/sessions", (), query=query)

    def end_session(self, id: str, /) -> None:
        """End a session.

        The session is refused from its next request on, and its sockets close.

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/sessions/{id}", (id,))

    def end_other_sessions(self, /) -> None:
        """End all other sessions.

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/sessions", ())

    def grants(self, /, **query: Unpack[t.ListGrantsQuery]) -> Pages[t.ListGrantsReply, t.Grant]:
        """List the access that you granted to applications.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/grants", (), query=query)

    def end_grant(self, id: str, /) -> None:
        """Revoke a grant.

        The application loses access at its next request.

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/grants/{id}", (id,))

    def invitations(self, /, **query: Unpack[t.ListReceivedInvitationsQuery]) -> Pages[t.ListReceivedInvitationsReply, t.ReceivedInvitation]:
        """List your invitations.

        The open invitations for your address in your tenant.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/invitations", (), query=query)

    def accept_invitation(self, id: str, /, *, idempotency_key: str | None = None) -> t.Workspace:
        """Accept an invitation.

        Makes you a member and returns the workspace.

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/invitations/{id}/accept", (id,), idempotency_key=idempotency_key)

    def refuse_invitation(self, id: str, /) -> None:
        """Refuse an invitation.

        The person who invited you is notified.

        Needs a session token · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/invitations/{id}/refuse", (id,))


class Members(Family):
    def list(self, id: str, /, **query: Unpack[t.ListMembersQuery]) -> Pages[t.ListMembersReply, t.Member]:
        """List members.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces/{id}/members", (id,), query=query)

    def invite(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.InviteMemberBody]) -> t.InvitationWithLink:
        """Invite a member.

        The owner of the address becomes a member by accepting: in the portal, with `POST
        /v1/invitations/{id}/accept`, or by signing up at the URL. No mail is sent, so pass the
        URL on yourself. It is shown once and valid for 7 days.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/workspaces/{id}/members", (id,), body=body, idempotency_key=idempotency_key)

    def update(self, id: str, user_id: str, /, **body: Unpack[t.ChangeMemberRoleBody]) -> t.MemberOrWritten:
        """Change a member's role.

        Owners and admins can change roles. Only owners can grant or remove the role of owner.

        Scope `admin:workspace` · Without `read:projects`, what was there is returned in its
        short form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/workspaces/{id}/members/{user_id}", (id, user_id), body=body)

    def remove(self, id: str, user_id: str, /) -> None:
        """Remove a member, or leave.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/workspaces/{id}/members/{user_id}", (id, user_id))

    def reset_link(self, id: str, user_id: str, /, *, idempotency_key: str | None = None) -> t.ResetLink:
        """Create a password reset link for a member.

        For the owner of the tenant, and for a caller who owns every workspace of the member and
        the workspace whose invitation created the account. The link works once within 24 hours.
        No mail is sent, so pass it on yourself. The member is notified.

        Needs a session token · Scope `admin:workspace` · At most 10 in 1 s per user · Takes an
        `Idempotency-Key`
        """
        return self._call("POST", "/v1/workspaces/{id}/members/{user_id}/reset-link", (id, user_id), idempotency_key=idempotency_key)

    def invitations(self, id: str, /, **query: Unpack[t.ListInvitationsQuery]) -> Pages[t.ListInvitationsReply, t.Invitation]:
        """List open invitations.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces/{id}/invitations", (id,), query=query)

    def renew_invitation(self, id: str, invitation_id: str, /, *, idempotency_key: str | None = None) -> t.InvitationWithLink:
        """Renew an invitation.

        Returns a new link, which is shown once and valid for 7 days. The old link stops working.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/workspaces/{id}/invitations/{invitation_id}/renew", (id, invitation_id), idempotency_key=idempotency_key)

    def withdraw_invitation(self, id: str, invitation_id: str, /) -> None:
        """Withdraw an invitation.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/workspaces/{id}/invitations/{invitation_id}", (id, invitation_id))


class Memory(Transfer):
    def store(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryItemStore]) -> t.MemoryItemOrWritten:
        """Store a memory item.

        Returns 201 with the new item. Keyword search finds it immediately, semantic search when
        `embedding_status` is `completed`. Storing again under the same `custom_id` updates that
        item (200); with `If-None-Match: *` it returns 412 and changes nothing. `deduplicate`,
        and a `subject` beside a `custom_id`, also need `read:memory`. `supersedes` retires the
        items that this one replaces, in the same commit. Set a ttl, tags and a context.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`); `supersedes` names the item that the store updates or finds
        (`own_item`); `supersedes` names an item of another project or namespace (`other_place`);
        `supersedes` names an item that someone can read who cannot read the private one that
        replaces it (`wider_readers`); `supersede_reason` is sent without `supersedes`
        (`invalid_combination`); the item with this `custom_id` has another `subject`
        (`immutable`); `If-None-Match` is sent without a `custom_id` (`required`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/api/memory/store", (), body=body, idempotency_key=idempotency_key)

    def retrieve(self, id: str, /) -> t.MemoryItem:
        """Retrieve a memory item at its own path.

        Returns an `ETag`. With a matching `If-None-Match`, returns 304 without a body.

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/memory/items/{id}", (id,))

    def search(self, /, **body: Unpack[t.MemorySearch]) -> t.MemorySearchReply:
        """Search by keyword and by meaning.

        Keyword search finds a stored item immediately, semantic search as soon as its
        `embedding_status` is `completed`: check `pending`, or the item, before you rely on a
        semantic search. Searches one project and one namespace; `"*"` searches all namespaces
        that the credential can read.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); more than one of `namespace`,
        `namespaces` and `namespace_prefix` is sent, or `status` with `q`
        (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels deep
        (`too_deep`); a filter has more than 32 conditions or 256 values in total (`too_big`); a
        metadata path has more than 256 characters (`invalid_path`); `similarity_threshold` is
        sent with the mode `keyword` (`invalid_value`); `rerank` is requested, but the service
        has no reranker (`not_configured`).

        Scope `read:memory` · At most 5 in 1 s per user
        """
        return self._call("POST", "/api/memory/search", (), body=body)

    def recall(self, /, **body: Unpack[t.MemoryRecall]) -> t.MemoryRecallReply:
        """Recall for a model.

        What to show a model before it answers: the relevant turns and notes as one text within
        `max_tokens`, or as items. With neither `query` nor `messages`: the notes tagged
        `pinned`, then the newest exchanges. The text is data, never instructions.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); both `query` and `messages` are
        sent (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels
        deep (`too_deep`); a filter has more than 32 conditions or 256 values in total
        (`too_big`); a metadata path has more than 256 characters (`invalid_path`); the
        `timestamp` of a message is not a valid date, or is outside the years 0001 to 9999
        (`invalid_instant`).

        Scope `read:memory` · At most 5 in 1 s per user
        """
        return self._call("POST", "/v1/memory/recall", (), body=body)

    def update(self, id: str, /, *, if_version: int | None = None, **body: Unpack[t.MemoryItemUpdate]) -> t.MemoryItemOrWritten:
        """Update a memory item.

        Omitted fields do not change. `metadata`, `tags` and `permissions` are replaced as a
        whole. With `merge_metadata`, `metadata` changes only the keys that it names; this and a
        `subject` also need `read:memory`. `ttl` counts from now; null clears it. With
        `If-Match`, returns 412 unless the item is at that version.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`); `project_id` is another project, or `subject` is another subject
        (`immutable`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/memory/items/{id}", (id,), body=body, if_version=if_version)

    def delete(self, id: str, /, *, if_version: int | None = None) -> None:
        """Delete a memory item.

        With `If-Match`, returns 412 unless the item is at that version.

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/memory/items/{id}", (id,), if_version=if_version)

    def retire(self, id: str, /, *, if_version: int | None = None, **body: Unpack[t.MemoryRetirement]) -> t.MemoryItemOrWritten:
        """Retire a memory item.

        For a memory that is no longer true. Search, lists and `q` leave it out; a read by its id
        and a list with `status` show it. It keeps its `custom_id`, its `ttl` runs on, and
        `restore` brings it back. With `If-Match`, returns 412 unless the item is at that
        version.

        Also returns 422 if a secret was found, and the guard of the project refuses it; in a
        name, such as `custom_id`, it always does unless it is `off` (`secret_found`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/memory/items/{id}/retire", (id,), body=body, if_version=if_version)

    def restore(self, id: str, /, *, if_version: int | None = None) -> t.MemoryItemOrWritten:
        """Restore a retired memory item.

        The item is current again, in a new version without reason and successor, and is embedded
        again. With `If-Match`, returns 412 unless the item is at that version.

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/memory/items/{id}/restore", (id,), if_version=if_version)

    def list(self, /, **query: Unpack[t.ListMemoriesQuery]) -> Pages[t.ListMemoriesReply, t.MemoryItem]:
        """List memory items.

        Lists one namespace of one project, or those in `namespaces`, newest first. With `q`, the
        request counts against the search limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`); an integer beyond ±9007199254740991 is sent without a point and
        an exponent (`unsafe_integer`); more than one of `namespace`, `namespaces` and
        `namespace_prefix` is sent, or `status` with `q` (`invalid_combination`); `AND`, `OR` and
        `NOT` of a filter nest more than 4 levels deep (`too_deep`); a filter has more than 32
        conditions or 256 values in total (`too_big`); a metadata path has more than 256
        characters (`invalid_path`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/items", (), query=query)

    def namespaces(self, /, **query: Unpack[t.ListNamespacesQuery]) -> Pages[t.ListNamespacesReply, t.MemoryNamespace]:
        """List namespaces.

        Lists the namespaces of one project that contain an item you can read, by name. A page
        can have fewer entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/namespaces", (), query=query)

    def ingest(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.ConversationIngest]) -> t.ConversationIngestReport:
        """Store messages of a conversation.

        Stores each message as an item of kind `turn`, in order. A message with an `id`, or with
        a `timestamp`, is stored once, however often it is sent; any other is stored each time in
        mode `append`. In mode `history`, which also needs `read:memory`, send the last messages
        of the conversation each time: only what is new is stored. Messages of the roles `system`
        and `tool` are stored only if `roles` names them. Each 20 messages take a permit of the
        limit.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`).

        Scope `write:memory` · At most 5 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/memory/ingest", (), body=body, idempotency_key=idempotency_key)

    def subjects(self, /, **query: Unpack[t.ListSubjectsQuery]) -> Pages[t.ListSubjectsReply, t.MemorySubject]:
        """List subjects.

        Lists the subjects of one project that an item you can read is about, by name. A page can
        have fewer entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/subjects", (), query=query)

    def batch(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.Batch]) -> t.BatchReport:
        """Run up to 50 operations.

        Operations run in order, and later ones see the effects of earlier ones. Each can name
        its own project and has its own result: a failed operation does not affect the others.
        With `atomic`, one failure means that nothing is written and the response is 422 with
        `results`. `retrieve` needs `read:memory`, the others `write:memory`, and `deduplicate`
        both. An atomic batch has at most 50 operations and 65,536 characters of text, those of
        the request and of stored items whose date or place changes. Any other batch has no such
        limit: a large one is committed in slices and takes longer.

        Also returns 422 if an operation of an `atomic` batch fails: `results` shows which one
        (`operation_failed`); an `atomic` batch has more than 65,536 characters of text, those of
        the request and of stored items whose date or place changes, or more than 40,000
        different words and parts of words, each text by itself (`texts_too_long`).

        Scope `read:memory` or `write:memory` · Without `read:memory`, what was there is returned
        in its short form · At most 2 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/api/memory/batch", (), body=body, idempotency_key=idempotency_key)

    def versions(self, id: str, /, **query: Unpack[t.ListMemoryVersionsQuery]) -> Pages[t.ListMemoryVersionsReply, t.MemoryVersion]:
        """List earlier texts.

        The last 50 earlier texts of the item, newest first, with the author and time of each.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/items/{id}/versions", (id,), query=query)

    def embed(self, id: str, /) -> t.MemoryItemOrWritten:
        """Embed a memory item again.

        For an item whose `embedding_status` is `failed`, or to renew a completed one.

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/memory/items/{id}/embed", (id,))

    def delete_many(self, /, **body: Unpack[t.MemoryBulkDelete]) -> t.MemoryBulkDeleted:
        """Delete items by filter.

        Deletes up to 1,000 items per call in one project (and one namespace, unless it is `*`).
        While `has_more` is true, call again. Items that you can read but not change are kept.
        `filters: {}` matches all items. Other filters, `dry_run`, and a context that names more
        than project and namespaces, also need `read:memory`.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); more than one of `namespace`,
        `namespaces` and `namespace_prefix` is sent, or `status` with `q`
        (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels deep
        (`too_deep`); a filter has more than 32 conditions or 256 values in total (`too_big`); a
        metadata path has more than 256 characters (`invalid_path`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/memory/delete", (), body=body)


class Projects(Family):
    def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateProjectBody]) -> t.ProjectOrWritten:
        """Create a project.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/api/projects", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListProjectsQuery]) -> Pages[t.ListProjectsReply, t.Project]:
        """List projects.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/projects", (), query=query)

    def retrieve(self, id: str, /) -> t.Project:
        """Get a project.

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/projects/{id}", (id,))

    def update(self, id: str, /, **body: Unpack[t.ProjectChanges]) -> t.ProjectOrWritten:
        """Change a project.

        Omitted fields do not change. `retention`, for owners and admins, is replaced as a whole
        and acts on later writes; `applyRetention` also sets the expiry of stored items. Of
        `guard`, for owners and admins, the named members change.

        Also returns 422 if `retention` has more than 8 KiB as JSON (`too_large`); a
        `default_ttl` is longer than its `max_ttl` (`invalid_combination`).

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/projects/{id}", (id,), body=body)

    def delete(self, id: str, /) -> None:
        """Delete a project.

        Its items are inaccessible as soon as this returns, and are then erased with their
        vectors.

        Scope `write:projects` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/api/projects/{id}", (id,))

    def apply_retention(self, id: str, /, **body: Unpack[t.RetentionApply]) -> t.RetentionApplied:
        """Apply retention to current items.

        Sets the expiry of current items by the `retention` of the project, as if its rules had
        stood when they were stored: a `ttl` counts from when it was set, that of a rule from
        `created_at`. No expiry is put off. Examines 1,000 items per call; while `has_more` is
        true, call again with `next_cursor`. For owners and admins; also needs `read:memory`.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/projects/{id}/retention/apply", (id,), body=body)


class Subscriptions(Family):
    def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateSubscription]) -> t.Subscription:
        """Subscribe a webhook.

        Sends each matching event as a signed POST (Standard Webhooks). Get the signing secret
        from `GET /v1/events/subscriptions/{id}/secret`. Custom headers are encrypted and never
        shown again. Also needs `read:events`, because the webhook receives what this scope may
        read.

        Also returns 422 if a type in `events` does not belong to any of the channels
        (`wrong_channel`); without `events`, a channel is within two letters of a built-in one
        (`misspelt_channel`); `delivery.url` is not an http URL (`invalid_url`); `delivery.url`
        is not https (`https_required`); `delivery.url` contains user info (`user_info`);
        `delivery.url` points into a private network (`private_target`); `delivery.url` points to
        this service (`own_service`); a header is one that the service or the connection sets
        (`forbidden_header`); a header is named `__proto__` (`invalid_key`).

        Scope `write:events` · At most 10 in 3600 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/api/events/subscriptions", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListSubscriptionsQuery]) -> Pages[t.Subscriptions, t.Subscription]:
        """List subscriptions.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/api/events/subscriptions", (), query=query)

    def retrieve(self, id: str, /) -> t.Subscription:
        """Get a subscription.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/events/subscriptions/{id}", (id,))

    def update(self, id: str, /, **body: Unpack[t.UpdateSubscription]) -> t.SubscriptionOrWritten:
        """Pause, resume or change a subscription.

        Events published while it is paused or disabled wait for seven days and are sent when
        `status` is `active` again. A `delivery.url` with another origin drops the stored headers
        unless new `headers` are sent with it. `delivery` also needs `read:events`, because it
        decides who receives what this scope may read.

        Also returns 422 if a type in `events` does not belong to any of the channels
        (`wrong_channel`); without `events`, a channel is within two letters of a built-in one
        (`misspelt_channel`); `delivery.url` is not an http URL (`invalid_url`); `delivery.url`
        is not https (`https_required`); `delivery.url` contains user info (`user_info`);
        `delivery.url` points into a private network (`private_target`); `delivery.url` points to
        this service (`own_service`); a header is one that the service or the connection sets
        (`forbidden_header`); a header is named `__proto__` (`invalid_key`).

        Scope `write:events` · Without `read:events`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/events/subscriptions/{id}", (id,), body=body)

    def delete(self, subscription_id: str, /) -> t.DeletedSubscription:
        """Delete a subscription.

        Scope `write:events` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/api/events/subscriptions/{subscription_id}", (subscription_id,))

    def secret(self, id: str, /) -> t.SigningSecret:
        """Show the signing secret.

        Scope `write:events` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/events/subscriptions/{id}/secret", (id,))

    def rotate_secret(self, id: str, /, *, idempotency_key: str | None = None) -> t.SigningSecret:
        """Rotate the signing secret.

        For 24 hours, requests are signed with both secrets, so that no delivery is refused
        during the rotation.

        Scope `write:events` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/events/subscriptions/{id}/secret/rotate", (id,), idempotency_key=idempotency_key)

    def test(self, id: str, /, *, idempotency_key: str | None = None) -> t.TestDelivery:
        """Send a test event.

        Scope `write:events` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/events/subscriptions/{id}/test", (id,), idempotency_key=idempotency_key)

    def recover(self, id: str, /, **body: Unpack[t.RecoverDeliveries]) -> t.RecoveredDeliveries:
        """Recover deliveries after an outage.

        Sends deliveries immediately that are `failed` or `expired`, that wait for another
        attempt after a failure, or that are due but not yet picked up. Up to 1000 per call; call
        again while `has_more` is true. If the subscription is not active, they wait.

        Also returns 422 if `until` is not after `since` (`wrong_order`).

        Scope `write:events` · At most 10 in 1 s per user
        """
        return self._call("POST", "/v1/events/subscriptions/{id}/recover", (id,), body=body)


class Usage(Family):
    def retrieve(self, /, **query: Unpack[t.GetUsageQuery]) -> t.Usage:
        """Read your usage.

        Requests by operation over time, items and projects against their quotas, and the limits
        that apply to the caller. Counters update within a minute.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/usage", (), query=query)

    def series(self, /, **query: Unpack[t.GetUsageSeriesQuery]) -> t.UsageSeries:
        """Read your usage over time.

        Requests and their durations per hour or day of the last 30 days, by operation,
        credential, project or outcome. The 20 credentials or projects with the most requests are
        listed separately. Counters update within a minute.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/usage/series", (), query=query)


class Workspaces(Family):
    def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateWorkspaceBody]) -> t.WorkspaceOrWritten:
        """Create a workspace.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return self._call("POST", "/v1/workspaces", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListWorkspacesQuery]) -> Pages[t.ListWorkspacesReply, t.Workspace]:
        """List workspaces.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces", (), query=query)

    def retrieve(self, id: str, /) -> t.Workspace:
        """Get a workspace.

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._call("GET", "/v1/workspaces/{id}", (id,))

    def update(self, id: str, /, **body: Unpack[t.UpdateWorkspaceBody]) -> t.WorkspaceOrWritten:
        """Rename a workspace.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return self._call("PATCH", "/v1/workspaces/{id}", (id,), body=body)

    def delete(self, id: str, /) -> None:
        """Delete a workspace.

        Deletes its projects, their items, and the keys of the workspace too.

        Scope `write:projects` · At most 10 in 1 s per user
        """
        return self._call("DELETE", "/v1/workspaces/{id}", (id,))


class AsyncApps(AsyncFamily):
    async def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateAppBody]) -> t.ApplicationWithSecret:
        """Create an OAuth application.

        The `client_secret` of a confidential application is shown in this response only.

        Also returns 422 if a redirect URI is not in its normal form, has user info, or points to
        a loopback host (`invalid_redirect_uri`); `require_pkce` is false for a public
        application (`invalid_value`).

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/apps", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListAppsQuery]) -> AsyncPages[t.ListAppsReply, t.Application]:
        """List your OAuth applications.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/apps", (), query=query)

    async def retrieve(self, id: str, /) -> t.Application:
        """Get an OAuth application.

        Needs a session token · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/apps/{id}", (id,))

    async def update(self, id: str, /, **body: Unpack[t.UpdateAppBody]) -> t.Application:
        """Change an OAuth application.

        Also returns 422 if a redirect URI is not in its normal form, has user info, or points to
        a loopback host (`invalid_redirect_uri`); `require_pkce` is false for a public
        application (`invalid_value`).

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/apps/{id}", (id,), body=body)

    async def rotate_secret(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateAppSecretBody]) -> t.ApplicationWithSecret:
        """Rotate the secret of an OAuth application.

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/apps/{id}/rotate-secret", (id,), body=body, idempotency_key=idempotency_key)

    async def delete(self, id: str, /) -> None:
        """Delete an OAuth application.

        Its refresh tokens end immediately, its access tokens within 60 seconds.

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/apps/{id}", (id,))


class AsyncAudit(AsyncAuditLog):
    def list(self, /, **query: Unpack[t.ListAuditRowsQuery]) -> AsyncPages[t.ListAuditRowsReply, t.AuditRow]:
        """Read the audit log.

        Newest first. Owners and admins see their workspaces; others see their own actions. Rows
        appear within a minute. `Accept: application/x-ndjson` returns all rows, one per line.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return self._pages("/v1/audit", (), query=query)


class AsyncConversations(AsyncFamily):
    def list(self, /, **query: Unpack[t.ListConversationsQuery]) -> AsyncPages[t.ListConversationsReply, t.Conversation]:
        """List conversations.

        Lists the conversations of one namespace of one project, or of all namespaces with `*`,
        in which you can read a turn: the one with the newest turn first. A page can have fewer
        entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/conversations", (), query=query)

    def retrieve(self, conversation_id: str, /, **query: Unpack[t.GetConversationQuery]) -> AsyncPages[t.GetConversationReply, t.MemoryItem]:
        """List the turns of a conversation.

        Lists the turns of a conversation that you can read, in order. A conversation in which
        you can read none is an empty list.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/conversations/{conversation_id}", (conversation_id,), query=query)

    async def delete(self, conversation_id: str, /, **query: Unpack[t.DeleteConversationQuery]) -> t.MemoryBulkDeleted:
        """Delete a conversation.

        Deletes up to 1,000 turns of a conversation per call, retired ones too. While `has_more`
        is true, call again. Turns that you cannot change are kept, and so are notes that name
        the conversation. It also needs `read:memory`, because the answer tells how many turns
        there were.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/memory/conversations/{conversation_id}", (conversation_id,), query=query)


class AsyncDeliveries(AsyncFamily):
    def list(self, id: str, /, **query: Unpack[t.ListDeliveriesQuery]) -> AsyncPages[t.ListDeliveriesReply, t.Delivery]:
        """List deliveries.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/v1/events/subscriptions/{id}/deliveries", (id,), query=query)

    async def retrieve(self, id: str, /) -> t.Delivery:
        """Get a delivery.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/events/deliveries/{id}", (id,))

    async def request(self, id: str, /) -> t.DeliveryRequest:
        """Show what a delivery sends.

        Returns the request that its attempts send: address, headers and body. The values of
        custom headers are not shown. With `write:events` it has a fresh signature, so that a
        receiver accepts it when you send it by hand.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/events/deliveries/{id}/request", (id,))

    def attempts(self, id: str, /, **query: Unpack[t.ListDeliveryAttemptsQuery]) -> AsyncPages[t.ListDeliveryAttemptsReply, t.DeliveryAttempt]:
        """List the attempts of a delivery.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/v1/events/deliveries/{id}/attempts", (id,), query=query)

    async def series(self, /, **query: Unpack[t.GetDeliverySeriesQuery]) -> t.DeliverySeries:
        """Read deliveries over time.

        Deliveries of each of your subscriptions by outcome and latency, per hour or day.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/events/delivery-series", (), query=query)

    async def retry(self, id: str, /) -> t.DeliveryOrWritten:
        """Send a delivery again.

        Scope `write:events` · Without `read:events`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/events/deliveries/{id}/retry", (id,))


class AsyncErasures(AsyncFamily):
    async def create(self, /, **body: Unpack[t.Erase]) -> t.ErasureDryRun | t.Erasure:
        """Erase a subject or a namespace with a receipt.

        Erases a subject or a namespace in all projects that you administer, or in those of
        `project_ids`: items of everybody with their earlier texts, vectors and events. Until it
        has ended, writes to it are 409. The same request returns the erasure that runs. With
        `dry_run`, it returns 200 and only counts.

        Also returns 422 if neither `subject` nor `namespace` is sent (`required`); `subject` and
        `namespace` are both sent (`invalid_combination`).

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/erasures", (), body=body)

    async def retrieve(self, id: str, /) -> t.Erasure:
        """Get the receipt of an erasure.

        For the user who requested it, the owner of the tenant, and those who administer all of
        its projects. Kept for good.

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/erasures/{id}", (id,))

    def list(self, /, **query: Unpack[t.ListErasuresQuery]) -> AsyncPages[t.ListErasuresReply, t.Erasure]:
        """List the receipts of erasures.

        Newest first.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/erasures", (), query=query)


class AsyncEvents(AsyncListener):
    async def publish(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.PublishEvent]) -> t.PublishedEvent:
        """Publish an event.

        Delivers to all members who can read the project, or to those of them in `targets`. A
        built-in type belongs to its own channel; any other channel and `word.word` type is yours
        to use. Without `workspace_id` and `project_id`, the event goes to the default project.
        Filters read `conversation_id`, `namespace` and `scope` from `data`.

        Also returns 422 if an integer beyond ±9007199254740991 is sent without a point and an
        exponent (`unsafe_integer`); your own event type is sent without a `channel`
        (`required`); the type does not belong to the channel (`wrong_channel`); `data` contains
        a state, a code or a sender that only the service can set (`reserved`); `data` lacks a
        field that its type needs (see the events) (`invalid_data`); `data` has more than 32 KiB
        as JSON (`too_large`).

        Scope `write:events` · At most 20 in 60 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/api/events/publish", (), body=body, idempotency_key=idempotency_key)


class AsyncKeys(AsyncFamily):
    async def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateApiKeyBody]) -> t.ApiKeyWithSecret:
        """Create an API key.

        Needs a session, or a key with `admin:workspace`, which can create only narrower keys.
        The secret is shown once.

        Also returns 422 if `expires_at` is not in the future (`in_the_past`); `workspace_id` is
        sent, but `owner` is not `workspace` (`not_applicable`); a permission names a project
        that the caller cannot see (`not_found`); two permissions name the same project
        (`duplicate`).

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/api-keys", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListApiKeysQuery]) -> AsyncPages[t.ListApiKeysReply, t.ApiKey]:
        """List API keys.

        `include=revoked` adds keys that were revoked within the last 90 days.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/api-keys", (), query=query)

    async def retrieve(self, id: str, /, **query: Unpack[t.GetApiKeyQuery]) -> t.ApiKey:
        """Get an API key.

        `include=revoked` also finds a key that was revoked within the last 90 days.

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/api-keys/{id}", (id,), query=query)

    async def rotate(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.RotateApiKeyBody]) -> t.ApiKeyWithSecret:
        """Rotate an API key.

        Returns a new key with the same scopes and permissions. Both secrets work during the
        overlap. The new secret is shown once.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/api-keys/{id}/rotate", (id,), body=body, idempotency_key=idempotency_key)

    async def delete(self, id: str, /) -> None:
        """Revoke an API key.

        The key is refused from the next request on, and its sockets close.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/api-keys/{id}", (id,))


class AsyncMe(AsyncFamily):
    async def retrieve(self, /) -> t.User:
        """Get your profile.

        Scope `read:profile` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/api/users/me", ())

    async def update(self, /, **body: Unpack[t.ProfileChanges]) -> t.UserOrWritten:
        """Change your profile.

        Also returns 422 if `settings.language` is not a BCP 47 tag (`invalid_language`);
        `avatar_url` is not an https URL (`invalid_format`); `avatar_url` is not an https URL
        (`invalid_union`).

        Scope `write:profile` · Without `read:profile`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/api/users/me", (), body=body)

    async def delete(self, /, **body: Unpack[t.DeleteMeBody]) -> None:
        """Delete your account.

        Erases your account and everything that only you own. The password must be sent again.

        Also returns 422 if the password is wrong (`wrong_password`).

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/api/users/me", (), body=body)

    async def export(self, /) -> t.PersonalData:
        """Export your personal data.

        Needs a session token · Scope `read:profile` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/users/me/export", ())

    async def names(self, /, **body: Unpack[t.ListNamesBody]) -> t.Names:
        """Get the names of ids.

        Names of people, service accounts, keys, applications, projects and workspaces by their
        ids; null for an id that you cannot see. Names of projects and workspaces need
        `read:projects`.

        Scope `read:memory` or `read:projects` or `read:audit` · At most 20 in 1 s per user
        """
        return await self._call("POST", "/v1/names", (), body=body)

    async def change_password(self, /, **body: Unpack[t.ChangePasswordBody]) -> None:
        """Change the password.

        Ends all other sessions, all grants to applications and, unless `keep_keys` is true, your
        API keys.

        Also returns 422 if the password is wrong (`wrong_password`).

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/users/me/password", (), body=body)

    def sessions(self, /, **query: Unpack[t.ListSessionsQuery]) -> AsyncPages[t.ListSessionsReply, t.Session]:
        """List your sessions.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/sessions", (), query=query)

    async def end_session(self, id: str, /) -> None:
        """End a session.

        The session is refused from its next request on, and its sockets close.

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/sessions/{id}", (id,))

    async def end_other_sessions(self, /) -> None:
        """End all other sessions.

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/sessions", ())

    def grants(self, /, **query: Unpack[t.ListGrantsQuery]) -> AsyncPages[t.ListGrantsReply, t.Grant]:
        """List the access that you granted to applications.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/grants", (), query=query)

    async def end_grant(self, id: str, /) -> None:
        """Revoke a grant.

        The application loses access at its next request.

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/grants/{id}", (id,))

    def invitations(self, /, **query: Unpack[t.ListReceivedInvitationsQuery]) -> AsyncPages[t.ListReceivedInvitationsReply, t.ReceivedInvitation]:
        """List your invitations.

        The open invitations for your address in your tenant.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Needs a session token · At most 20 in 1 s per user
        """
        return self._pages("/v1/invitations", (), query=query)

    async def accept_invitation(self, id: str, /, *, idempotency_key: str | None = None) -> t.Workspace:
        """Accept an invitation.

        Makes you a member and returns the workspace.

        Needs a session token · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/invitations/{id}/accept", (id,), idempotency_key=idempotency_key)

    async def refuse_invitation(self, id: str, /) -> None:
        """Refuse an invitation.

        The person who invited you is notified.

        Needs a session token · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/invitations/{id}/refuse", (id,))


class AsyncMembers(AsyncFamily):
    def list(self, id: str, /, **query: Unpack[t.ListMembersQuery]) -> AsyncPages[t.ListMembersReply, t.Member]:
        """List members.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces/{id}/members", (id,), query=query)

    async def invite(self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.InviteMemberBody]) -> t.InvitationWithLink:
        """Invite a member.

        The owner of the address becomes a member by accepting: in the portal, with `POST
        /v1/invitations/{id}/accept`, or by signing up at the URL. No mail is sent, so pass the
        URL on yourself. It is shown once and valid for 7 days.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/workspaces/{id}/members", (id,), body=body, idempotency_key=idempotency_key)

    async def update(self, id: str, user_id: str, /, **body: Unpack[t.ChangeMemberRoleBody]) -> t.MemberOrWritten:
        """Change a member's role.

        Owners and admins can change roles. Only owners can grant or remove the role of owner.

        Scope `admin:workspace` · Without `read:projects`, what was there is returned in its
        short form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/workspaces/{id}/members/{user_id}", (id, user_id), body=body)

    async def remove(self, id: str, user_id: str, /) -> None:
        """Remove a member, or leave.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/workspaces/{id}/members/{user_id}", (id, user_id))

    async def reset_link(self, id: str, user_id: str, /, *, idempotency_key: str | None = None) -> t.ResetLink:
        """Create a password reset link for a member.

        For the owner of the tenant, and for a caller who owns every workspace of the member and
        the workspace whose invitation created the account. The link works once within 24 hours.
        No mail is sent, so pass it on yourself. The member is notified.

        Needs a session token · Scope `admin:workspace` · At most 10 in 1 s per user · Takes an
        `Idempotency-Key`
        """
        return await self._call("POST", "/v1/workspaces/{id}/members/{user_id}/reset-link", (id, user_id), idempotency_key=idempotency_key)

    def invitations(self, id: str, /, **query: Unpack[t.ListInvitationsQuery]) -> AsyncPages[t.ListInvitationsReply, t.Invitation]:
        """List open invitations.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `admin:workspace` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces/{id}/invitations", (id,), query=query)

    async def renew_invitation(self, id: str, invitation_id: str, /, *, idempotency_key: str | None = None) -> t.InvitationWithLink:
        """Renew an invitation.

        Returns a new link, which is shown once and valid for 7 days. The old link stops working.

        Scope `admin:workspace` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/workspaces/{id}/invitations/{invitation_id}/renew", (id, invitation_id), idempotency_key=idempotency_key)

    async def withdraw_invitation(self, id: str, invitation_id: str, /) -> None:
        """Withdraw an invitation.

        Scope `admin:workspace` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/workspaces/{id}/invitations/{invitation_id}", (id, invitation_id))


class AsyncMemory(AsyncTransfer):
    async def store(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.MemoryItemStore]) -> t.MemoryItemOrWritten:
        """Store a memory item.

        Returns 201 with the new item. Keyword search finds it immediately, semantic search when
        `embedding_status` is `completed`. Storing again under the same `custom_id` updates that
        item (200); with `If-None-Match: *` it returns 412 and changes nothing. `deduplicate`,
        and a `subject` beside a `custom_id`, also need `read:memory`. `supersedes` retires the
        items that this one replaces, in the same commit. Set a ttl, tags and a context.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`); `supersedes` names the item that the store updates or finds
        (`own_item`); `supersedes` names an item of another project or namespace (`other_place`);
        `supersedes` names an item that someone can read who cannot read the private one that
        replaces it (`wider_readers`); `supersede_reason` is sent without `supersedes`
        (`invalid_combination`); the item with this `custom_id` has another `subject`
        (`immutable`); `If-None-Match` is sent without a `custom_id` (`required`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/api/memory/store", (), body=body, idempotency_key=idempotency_key)

    async def retrieve(self, id: str, /) -> t.MemoryItem:
        """Retrieve a memory item at its own path.

        Returns an `ETag`. With a matching `If-None-Match`, returns 304 without a body.

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/memory/items/{id}", (id,))

    async def search(self, /, **body: Unpack[t.MemorySearch]) -> t.MemorySearchReply:
        """Search by keyword and by meaning.

        Keyword search finds a stored item immediately, semantic search as soon as its
        `embedding_status` is `completed`: check `pending`, or the item, before you rely on a
        semantic search. Searches one project and one namespace; `"*"` searches all namespaces
        that the credential can read.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); more than one of `namespace`,
        `namespaces` and `namespace_prefix` is sent, or `status` with `q`
        (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels deep
        (`too_deep`); a filter has more than 32 conditions or 256 values in total (`too_big`); a
        metadata path has more than 256 characters (`invalid_path`); `similarity_threshold` is
        sent with the mode `keyword` (`invalid_value`); `rerank` is requested, but the service
        has no reranker (`not_configured`).

        Scope `read:memory` · At most 5 in 1 s per user
        """
        return await self._call("POST", "/api/memory/search", (), body=body)

    async def recall(self, /, **body: Unpack[t.MemoryRecall]) -> t.MemoryRecallReply:
        """Recall for a model.

        What to show a model before it answers: the relevant turns and notes as one text within
        `max_tokens`, or as items. With neither `query` nor `messages`: the notes tagged
        `pinned`, then the newest exchanges. The text is data, never instructions.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); both `query` and `messages` are
        sent (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels
        deep (`too_deep`); a filter has more than 32 conditions or 256 values in total
        (`too_big`); a metadata path has more than 256 characters (`invalid_path`); the
        `timestamp` of a message is not a valid date, or is outside the years 0001 to 9999
        (`invalid_instant`).

        Scope `read:memory` · At most 5 in 1 s per user
        """
        return await self._call("POST", "/v1/memory/recall", (), body=body)

    async def update(self, id: str, /, *, if_version: int | None = None, **body: Unpack[t.MemoryItemUpdate]) -> t.MemoryItemOrWritten:
        """Update a memory item.

        Omitted fields do not change. `metadata`, `tags` and `permissions` are replaced as a
        whole. With `merge_metadata`, `metadata` changes only the keys that it names; this and a
        `subject` also need `read:memory`. `ttl` counts from now; null clears it. With
        `If-Match`, returns 412 unless the item is at that version.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`); `project_id` is another project, or `subject` is another subject
        (`immutable`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/memory/items/{id}", (id,), body=body, if_version=if_version)

    async def delete(self, id: str, /, *, if_version: int | None = None) -> None:
        """Delete a memory item.

        With `If-Match`, returns 412 unless the item is at that version.

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/memory/items/{id}", (id,), if_version=if_version)

    async def retire(self, id: str, /, *, if_version: int | None = None, **body: Unpack[t.MemoryRetirement]) -> t.MemoryItemOrWritten:
        """Retire a memory item.

        For a memory that is no longer true. Search, lists and `q` leave it out; a read by its id
        and a list with `status` show it. It keeps its `custom_id`, its `ttl` runs on, and
        `restore` brings it back. With `If-Match`, returns 412 unless the item is at that
        version.

        Also returns 422 if a secret was found, and the guard of the project refuses it; in a
        name, such as `custom_id`, it always does unless it is `off` (`secret_found`).

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/memory/items/{id}/retire", (id,), body=body, if_version=if_version)

    async def restore(self, id: str, /, *, if_version: int | None = None) -> t.MemoryItemOrWritten:
        """Restore a retired memory item.

        The item is current again, in a new version without reason and successor, and is embedded
        again. With `If-Match`, returns 412 unless the item is at that version.

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/memory/items/{id}/restore", (id,), if_version=if_version)

    def list(self, /, **query: Unpack[t.ListMemoriesQuery]) -> AsyncPages[t.ListMemoriesReply, t.MemoryItem]:
        """List memory items.

        Lists one namespace of one project, or those in `namespaces`, newest first. With `q`, the
        request counts against the search limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`); an integer beyond ±9007199254740991 is sent without a point and
        an exponent (`unsafe_integer`); more than one of `namespace`, `namespaces` and
        `namespace_prefix` is sent, or `status` with `q` (`invalid_combination`); `AND`, `OR` and
        `NOT` of a filter nest more than 4 levels deep (`too_deep`); a filter has more than 32
        conditions or 256 values in total (`too_big`); a metadata path has more than 256
        characters (`invalid_path`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/items", (), query=query)

    def namespaces(self, /, **query: Unpack[t.ListNamespacesQuery]) -> AsyncPages[t.ListNamespacesReply, t.MemoryNamespace]:
        """List namespaces.

        Lists the namespaces of one project that contain an item you can read, by name. A page
        can have fewer entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/namespaces", (), query=query)

    async def ingest(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.ConversationIngest]) -> t.ConversationIngestReport:
        """Store messages of a conversation.

        Stores each message as an item of kind `turn`, in order. A message with an `id`, or with
        a `timestamp`, is stored once, however often it is sent; any other is stored each time in
        mode `append`. In mode `history`, which also needs `read:memory`, send the last messages
        of the conversation each time: only what is new is stored. Messages of the roles `system`
        and `tool` are stored only if `roles` names them. Each 20 messages take a permit of the
        limit.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); `metadata` has more than 16 KiB
        as JSON (`too_large`); `occurred_at` is not a valid date, or is outside the years 0001 to
        9999 (`invalid_instant`); `permissions` names a user twice, or `supersedes` an item
        (`duplicate`); `permissions` are sent, but `visibility` is not `private` (`not_private`);
        `permissions` name a user who is not a member of the project (`unknown_member`); a key of
        `metadata` is `__proto__` (`invalid_key`); a secret was found, and the guard of the
        project refuses it; in a name, such as `custom_id`, it always does unless it is `off`
        (`secret_found`).

        Scope `write:memory` · At most 5 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/memory/ingest", (), body=body, idempotency_key=idempotency_key)

    def subjects(self, /, **query: Unpack[t.ListSubjectsQuery]) -> AsyncPages[t.ListSubjectsReply, t.MemorySubject]:
        """List subjects.

        Lists the subjects of one project that an item you can read is about, by name. A page can
        have fewer entries than its limit.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`); no `project_id` is
        sent, and the credential has no default project or can no longer access it
        (`no_default_project`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/subjects", (), query=query)

    async def batch(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.Batch]) -> t.BatchReport:
        """Run up to 50 operations.

        Operations run in order, and later ones see the effects of earlier ones. Each can name
        its own project and has its own result: a failed operation does not affect the others.
        With `atomic`, one failure means that nothing is written and the response is 422 with
        `results`. `retrieve` needs `read:memory`, the others `write:memory`, and `deduplicate`
        both. An atomic batch has at most 50 operations and 65,536 characters of text, those of
        the request and of stored items whose date or place changes. Any other batch has no such
        limit: a large one is committed in slices and takes longer.

        Also returns 422 if an operation of an `atomic` batch fails: `results` shows which one
        (`operation_failed`); an `atomic` batch has more than 65,536 characters of text, those of
        the request and of stored items whose date or place changes, or more than 40,000
        different words and parts of words, each text by itself (`texts_too_long`).

        Scope `read:memory` or `write:memory` · Without `read:memory`, what was there is returned
        in its short form · At most 2 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/api/memory/batch", (), body=body, idempotency_key=idempotency_key)

    def versions(self, id: str, /, **query: Unpack[t.ListMemoryVersionsQuery]) -> AsyncPages[t.ListMemoryVersionsReply, t.MemoryVersion]:
        """List earlier texts.

        The last 50 earlier texts of the item, newest first, with the author and time of each.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:memory` · At most 20 in 1 s per user
        """
        return self._pages("/v1/memory/items/{id}/versions", (id,), query=query)

    async def embed(self, id: str, /) -> t.MemoryItemOrWritten:
        """Embed a memory item again.

        For an item whose `embedding_status` is `failed`, or to renew a completed one.

        Scope `write:memory` · Without `read:memory`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/memory/items/{id}/embed", (id,))

    async def delete_many(self, /, **body: Unpack[t.MemoryBulkDelete]) -> t.MemoryBulkDeleted:
        """Delete items by filter.

        Deletes up to 1,000 items per call in one project (and one namespace, unless it is `*`).
        While `has_more` is true, call again. Items that you can read but not change are kept.
        `filters: {}` matches all items. Other filters, `dry_run`, and a context that names more
        than project and namespaces, also need `read:memory`.

        Also returns 422 if no `project_id` is sent, and the credential has no default project or
        can no longer access it (`no_default_project`); an integer beyond ±9007199254740991 is
        sent without a point and an exponent (`unsafe_integer`); more than one of `namespace`,
        `namespaces` and `namespace_prefix` is sent, or `status` with `q`
        (`invalid_combination`); `AND`, `OR` and `NOT` of a filter nest more than 4 levels deep
        (`too_deep`); a filter has more than 32 conditions or 256 values in total (`too_big`); a
        metadata path has more than 256 characters (`invalid_path`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/memory/delete", (), body=body)


class AsyncProjects(AsyncFamily):
    async def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateProjectBody]) -> t.ProjectOrWritten:
        """Create a project.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/api/projects", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListProjectsQuery]) -> AsyncPages[t.ListProjectsReply, t.Project]:
        """List projects.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/projects", (), query=query)

    async def retrieve(self, id: str, /) -> t.Project:
        """Get a project.

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/projects/{id}", (id,))

    async def update(self, id: str, /, **body: Unpack[t.ProjectChanges]) -> t.ProjectOrWritten:
        """Change a project.

        Omitted fields do not change. `retention`, for owners and admins, is replaced as a whole
        and acts on later writes; `applyRetention` also sets the expiry of stored items. Of
        `guard`, for owners and admins, the named members change.

        Also returns 422 if `retention` has more than 8 KiB as JSON (`too_large`); a
        `default_ttl` is longer than its `max_ttl` (`invalid_combination`).

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/projects/{id}", (id,), body=body)

    async def delete(self, id: str, /) -> None:
        """Delete a project.

        Its items are inaccessible as soon as this returns, and are then erased with their
        vectors.

        Scope `write:projects` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/api/projects/{id}", (id,))

    async def apply_retention(self, id: str, /, **body: Unpack[t.RetentionApply]) -> t.RetentionApplied:
        """Apply retention to current items.

        Sets the expiry of current items by the `retention` of the project, as if its rules had
        stood when they were stored: a `ttl` counts from when it was set, that of a rule from
        `created_at`. No expiry is put off. Examines 1,000 items per call; while `has_more` is
        true, call again with `next_cursor`. For owners and admins; also needs `read:memory`.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `write:memory` · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/projects/{id}/retention/apply", (id,), body=body)


class AsyncSubscriptions(AsyncFamily):
    async def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateSubscription]) -> t.Subscription:
        """Subscribe a webhook.

        Sends each matching event as a signed POST (Standard Webhooks). Get the signing secret
        from `GET /v1/events/subscriptions/{id}/secret`. Custom headers are encrypted and never
        shown again. Also needs `read:events`, because the webhook receives what this scope may
        read.

        Also returns 422 if a type in `events` does not belong to any of the channels
        (`wrong_channel`); without `events`, a channel is within two letters of a built-in one
        (`misspelt_channel`); `delivery.url` is not an http URL (`invalid_url`); `delivery.url`
        is not https (`https_required`); `delivery.url` contains user info (`user_info`);
        `delivery.url` points into a private network (`private_target`); `delivery.url` points to
        this service (`own_service`); a header is one that the service or the connection sets
        (`forbidden_header`); a header is named `__proto__` (`invalid_key`).

        Scope `write:events` · At most 10 in 3600 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/api/events/subscriptions", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListSubscriptionsQuery]) -> AsyncPages[t.Subscriptions, t.Subscription]:
        """List subscriptions.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:events` · At most 20 in 1 s per user
        """
        return self._pages("/api/events/subscriptions", (), query=query)

    async def retrieve(self, id: str, /) -> t.Subscription:
        """Get a subscription.

        Scope `read:events` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/events/subscriptions/{id}", (id,))

    async def update(self, id: str, /, **body: Unpack[t.UpdateSubscription]) -> t.SubscriptionOrWritten:
        """Pause, resume or change a subscription.

        Events published while it is paused or disabled wait for seven days and are sent when
        `status` is `active` again. A `delivery.url` with another origin drops the stored headers
        unless new `headers` are sent with it. `delivery` also needs `read:events`, because it
        decides who receives what this scope may read.

        Also returns 422 if a type in `events` does not belong to any of the channels
        (`wrong_channel`); without `events`, a channel is within two letters of a built-in one
        (`misspelt_channel`); `delivery.url` is not an http URL (`invalid_url`); `delivery.url`
        is not https (`https_required`); `delivery.url` contains user info (`user_info`);
        `delivery.url` points into a private network (`private_target`); `delivery.url` points to
        this service (`own_service`); a header is one that the service or the connection sets
        (`forbidden_header`); a header is named `__proto__` (`invalid_key`).

        Scope `write:events` · Without `read:events`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/events/subscriptions/{id}", (id,), body=body)

    async def delete(self, subscription_id: str, /) -> t.DeletedSubscription:
        """Delete a subscription.

        Scope `write:events` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/api/events/subscriptions/{subscription_id}", (subscription_id,))

    async def secret(self, id: str, /) -> t.SigningSecret:
        """Show the signing secret.

        Scope `write:events` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/events/subscriptions/{id}/secret", (id,))

    async def rotate_secret(self, id: str, /, *, idempotency_key: str | None = None) -> t.SigningSecret:
        """Rotate the signing secret.

        For 24 hours, requests are signed with both secrets, so that no delivery is refused
        during the rotation.

        Scope `write:events` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/events/subscriptions/{id}/secret/rotate", (id,), idempotency_key=idempotency_key)

    async def test(self, id: str, /, *, idempotency_key: str | None = None) -> t.TestDelivery:
        """Send a test event.

        Scope `write:events` · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/events/subscriptions/{id}/test", (id,), idempotency_key=idempotency_key)

    async def recover(self, id: str, /, **body: Unpack[t.RecoverDeliveries]) -> t.RecoveredDeliveries:
        """Recover deliveries after an outage.

        Sends deliveries immediately that are `failed` or `expired`, that wait for another
        attempt after a failure, or that are due but not yet picked up. Up to 1000 per call; call
        again while `has_more` is true. If the subscription is not active, they wait.

        Also returns 422 if `until` is not after `since` (`wrong_order`).

        Scope `write:events` · At most 10 in 1 s per user
        """
        return await self._call("POST", "/v1/events/subscriptions/{id}/recover", (id,), body=body)


class AsyncUsage(AsyncFamily):
    async def retrieve(self, /, **query: Unpack[t.GetUsageQuery]) -> t.Usage:
        """Read your usage.

        Requests by operation over time, items and projects against their quotas, and the limits
        that apply to the caller. Counters update within a minute.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/usage", (), query=query)

    async def series(self, /, **query: Unpack[t.GetUsageSeriesQuery]) -> t.UsageSeries:
        """Read your usage over time.

        Requests and their durations per hour or day of the last 30 days, by operation,
        credential, project or outcome. The 20 credentials or projects with the most requests are
        listed separately. Counters update within a minute.

        Also returns 422 if `since` is not before `until` (`empty_range`); the range has more
        than 400 steps (`too_many_steps`).

        Scope `read:audit` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/usage/series", (), query=query)


class AsyncWorkspaces(AsyncFamily):
    async def create(self, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateWorkspaceBody]) -> t.WorkspaceOrWritten:
        """Create a workspace.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user · Takes an `Idempotency-Key`
        """
        return await self._call("POST", "/v1/workspaces", (), body=body, idempotency_key=idempotency_key)

    def list(self, /, **query: Unpack[t.ListWorkspacesQuery]) -> AsyncPages[t.ListWorkspacesReply, t.Workspace]:
        """List workspaces.

        Also returns 422 if `cursor` is not from this list (`invalid_cursor`).

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return self._pages("/v1/workspaces", (), query=query)

    async def retrieve(self, id: str, /) -> t.Workspace:
        """Get a workspace.

        Scope `read:projects` · At most 20 in 1 s per user
        """
        return await self._call("GET", "/v1/workspaces/{id}", (id,))

    async def update(self, id: str, /, **body: Unpack[t.UpdateWorkspaceBody]) -> t.WorkspaceOrWritten:
        """Rename a workspace.

        Scope `write:projects` · Without `read:projects`, what was there is returned in its short
        form · At most 10 in 1 s per user
        """
        return await self._call("PATCH", "/v1/workspaces/{id}", (id,), body=body)

    async def delete(self, id: str, /) -> None:
        """Delete a workspace.

        Deletes its projects, their items, and the keys of the workspace too.

        Scope `write:projects` · At most 10 in 1 s per user
        """
        return await self._call("DELETE", "/v1/workspaces/{id}", (id,))
