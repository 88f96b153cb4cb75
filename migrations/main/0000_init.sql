CREATE TABLE `audit_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`row` text NOT NULL,
	`page_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_outbox_by_page` ON `audit_outbox` (`page_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`workspace_id` text,
	`created_by` text NOT NULL,
	`name` text NOT NULL,
	`environment` text NOT NULL,
	`token_hash` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text NOT NULL,
	`permissions` text,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`rotated_to` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_token_hash` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_user` ON `api_keys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `api_keys_by_workspace` ON `api_keys` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `directory` (
	`email` text PRIMARY KEY NOT NULL,
	`routing_id` text NOT NULL,
	`user_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`user_id` text,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`scopes` text NOT NULL,
	`require_pkce` integer NOT NULL,
	`refresh_grace_seconds` integer NOT NULL,
	`secret_hash` text,
	`old_secret_hash` text,
	`old_secret_expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_by_user` ON `oauth_clients` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `oauth_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`spent_by` text,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_codes_by_expiry` ON `oauth_codes` (`expires_at`);--> statement-breakpoint
CREATE INDEX `oauth_codes_by_grant` ON `oauth_codes` (`grant_id`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text,
	`created_at` integer NOT NULL,
	`activated_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_grants_by_user` ON `oauth_grants` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `oauth_grants_by_client` ON `oauth_grants` (`client_id`);--> statement-breakpoint
CREATE TABLE `oauth_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`spent_at` integer,
	`spent_by` text,
	`successor_key` text,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_tokens_by_token_hash` ON `oauth_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `oauth_tokens_by_grant` ON `oauth_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_tokens_by_expiry` ON `oauth_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `password_resets_by_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE INDEX `password_resets_by_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `pending_denials` (
	`id` text PRIMARY KEY NOT NULL,
	`routing_id` text NOT NULL,
	`ends_at` integer NOT NULL,
	`noted_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_token_hash` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`routing_id` text NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`name` text NOT NULL,
	`avatar_url` text DEFAULT '' NOT NULL,
	`settings` text NOT NULL,
	`password_hash` text,
	`default_project_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_routing_id` ON `users` (`routing_id`);--> statement-breakpoint
CREATE INDEX `users_by_tenant` ON `users` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`write_id` text NOT NULL,
	`status` integer,
	`resource` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `path`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`booked` integer DEFAULT 0 NOT NULL,
	`resend_at` integer NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`last_status_code` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`delivered_at` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_event` ON `deliveries` (`subscription_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_subscription` ON `deliveries` (`subscription_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_to_resend` ON `deliveries` (`resend_at`) WHERE status in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX `deliveries_to_expire` ON `deliveries` (`expires_at`) WHERE status in ('waiting', 'pending', 'sending');--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`subscription_id`,`status`) WHERE status in ('waiting', 'pending', 'sending');--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status_code` integer,
	`error` text,
	`response` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_by_delivery` ON `delivery_attempts` (`delivery_id`,`number`);--> statement-breakpoint
CREATE INDEX `delivery_attempts_by_age` ON `delivery_attempts` (`started_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`type` text NOT NULL,
	`channel` text NOT NULL,
	`workspace_id` text,
	`project_id` text,
	`namespace` text,
	`scope` text,
	`conversation_id` text,
	`visibility` text DEFAULT 'project' NOT NULL,
	`creator` text,
	`readers` text DEFAULT '[]' NOT NULL,
	`actor` text NOT NULL,
	`targets` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`fanned_out_at` integer,
	`unreached` text,
	`settled_at` integer,
	`resend_at` integer NOT NULL,
	`resends` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_by_history` ON `events` (`tenant_id`,`fanned_out_at`);--> statement-breakpoint
CREATE INDEX `events_unsettled` ON `events` (`resend_at`) WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX `events_by_expiry` ON `events` (`expires_at`);--> statement-breakpoint
CREATE INDEX `events_by_item` ON `events` (data ->> 'memory_id') WHERE channel = 'memory';--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`routing_id` text NOT NULL,
	`credential_kind` text NOT NULL,
	`credential_id` text NOT NULL,
	`grant_id` text,
	`scopes` text NOT NULL,
	`permissions` text,
	`channels` text NOT NULL,
	`event_types` text NOT NULL,
	`filters` text NOT NULL,
	`url` text NOT NULL,
	`headers` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`status` text NOT NULL,
	`disabled_reason` text,
	`failing_since` integer,
	`expiry_notified_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `subscriptions_by_tenant` ON `subscriptions` (`tenant_id`,`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_credential` ON `subscriptions` (`credential_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_grant` ON `subscriptions` (`grant_id`);--> statement-breakpoint
CREATE TABLE `presence` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`routing_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`scopes` text NOT NULL,
	`permissions` text,
	`channels` text NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `presence_by_user` ON `presence` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `presence_by_verification` ON `presence` (`verified_at`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_token_hash` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_workspace` ON `invitations` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `projects` (
	`code` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`icon` text DEFAULT '' NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`purged_at` integer,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_by_id` ON `projects` (`id`);--> statement-breakpoint
CREATE INDEX `projects_by_workspace` ON `projects` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `projects_to_purge` ON `projects` (`deleted_at`,`purged_at`);--> statement-breakpoint
CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspace_members_by_user` ON `workspace_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspaces_by_tenant` ON `workspaces` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `memory_grants` (
	`item_row` integer NOT NULL,
	`user_id` text NOT NULL,
	`access` text NOT NULL,
	PRIMARY KEY(`item_row`, `user_id`),
	FOREIGN KEY (`item_row`) REFERENCES `memory_items`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memory_grants_by_user` ON `memory_grants` (`user_id`);--> statement-breakpoint
CREATE TABLE `memory_items` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`project_id` text NOT NULL,
	`namespace` text NOT NULL,
	`scope` text NOT NULL,
	`conversation_id` text,
	`document_id` text,
	`session_id` text,
	`text_hash` text NOT NULL,
	`word_count` integer DEFAULT 0 NOT NULL,
	`type` text NOT NULL,
	`ttl` integer,
	`expires_at` integer,
	`custom_id` text,
	`visibility` text NOT NULL,
	`version` integer NOT NULL,
	`text_version` integer NOT NULL,
	`text_by` text NOT NULL,
	`text_at` integer NOT NULL,
	`vector_version` integer NOT NULL,
	`write_id` text NOT NULL,
	`embedding_status` text DEFAULT 'pending' NOT NULL,
	`embedding_model` text,
	`embedding_dimension` integer,
	`embedding_error` text,
	`embedded_version` integer,
	`chunk_count` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`next_attempt_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`delete_reason` text,
	`vectors_purged_at` integer,
	`tags` text NOT NULL,
	`metadata` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_items_by_id` ON `memory_items` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `memory_items_by_custom_id` ON `memory_items` (`project_id`,`namespace`,`custom_id`) WHERE custom_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_text` ON `memory_items` (`project_id`,`namespace`,`text_hash`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_project` ON `memory_items` (`project_id`,`created_at`,`id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_conversation` ON `memory_items` (`project_id`,`conversation_id`) WHERE conversation_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_document` ON `memory_items` (`project_id`,`document_id`) WHERE document_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_session` ON `memory_items` (`project_id`,`session_id`) WHERE session_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_private` ON `memory_items` (`created_by`) WHERE visibility = 'private' and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_unembedded` ON `memory_items` (`project_id`,`next_attempt_at`) WHERE embedding_status in ('pending', 'processing') and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_to_embed` ON `memory_items` (`next_attempt_at`) WHERE embedding_status in ('pending', 'processing') and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_model` ON `memory_items` (`embedding_model`) WHERE embedding_status = 'completed' and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_to_expire` ON `memory_items` (`expires_at`) WHERE expires_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_to_purge` ON `memory_items` (`vectors_purged_at`,`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `memory_tags` (
	`item_row` integer NOT NULL,
	`project_id` text NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`item_row`, `tag`),
	FOREIGN KEY (`item_row`) REFERENCES `memory_items`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memory_tags_by_tag` ON `memory_tags` (`project_id`,`tag`,`item_row`);--> statement-breakpoint
CREATE TABLE `memory_versions` (
	`item_row` integer NOT NULL,
	`version` integer NOT NULL,
	`text` text NOT NULL,
	`written_by` text NOT NULL,
	`written_at` integer NOT NULL,
	PRIMARY KEY(`item_row`, `version`),
	FOREIGN KEY (`item_row`) REFERENCES `memory_items`(`row`) ON UPDATE no action ON DELETE cascade
);
