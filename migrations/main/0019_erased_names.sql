ALTER TABLE `workspaces` ADD `purged_at` integer;--> statement-breakpoint
CREATE INDEX `workspaces_to_purge` ON `workspaces` (`deleted_at`) WHERE deleted_at is not null and purged_at is null;--> statement-breakpoint
CREATE INDEX `events_named` ON `events` (`workspace_id`,`project_id`) WHERE (namespace <> 'default' or conversation_id is not null or (channel <> 'memory' and data <> '{}'));--> statement-breakpoint
CREATE INDEX `events_published` ON `events` (`actor`) WHERE channel <> 'memory' and data <> '{}' and actor <> 'system';--> statement-breakpoint
CREATE INDEX `events_private` ON `events` (`creator`) WHERE visibility = 'private' and (namespace <> 'default' or conversation_id is not null);--> statement-breakpoint
CREATE INDEX `events_notices` ON `events` (`tenant_id`) WHERE channel = 'system' and data <> '{}';--> statement-breakpoint
-- What was erased before this version loses its names, once. Of the last month the rows open again, so that a sweep empties
-- their events too (src/memory/erasure/sweep.ts); older events are gone.
UPDATE `workspaces` SET `name` = '', `purged_at` = CASE WHEN `deleted_at` < (unixepoch() - 2678400) * 1000 THEN `deleted_at` END WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
UPDATE `projects` SET `name` = '', `description` = '', `icon` = '', `purged_at` = CASE WHEN `purged_at` < (unixepoch() - 2678400) * 1000 THEN `purged_at` END WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
UPDATE `users` SET `purged_at` = CASE WHEN `purged_at` < (unixepoch() - 2678400) * 1000 THEN `purged_at` END WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
UPDATE `users` SET `name` = '' WHERE `kind` = 'service' AND `id` IN (SELECT m.`user_id` FROM `workspace_members` m JOIN `workspaces` w ON w.`id` = m.`workspace_id` WHERE w.`deleted_at` IS NOT NULL);--> statement-breakpoint
UPDATE `api_keys` SET `name` = '' WHERE `workspace_id` IN (SELECT `id` FROM `workspaces` WHERE `deleted_at` IS NOT NULL);--> statement-breakpoint
UPDATE `oauth_clients` SET `name` = '', `redirect_uris` = '[]' WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
UPDATE `oauth_grants` SET `client_name` = '' WHERE `client_id` IN (SELECT `id` FROM `oauth_clients` WHERE `deleted_at` IS NOT NULL) OR `user_id` IN (SELECT `id` FROM `users` WHERE `deleted_at` IS NOT NULL);--> statement-breakpoint
UPDATE `subscriptions` SET `filters` = '{}' WHERE `deleted_at` IS NOT NULL;
