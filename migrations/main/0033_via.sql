DROP INDEX `oauth_grants_by_client`;--> statement-breakpoint
CREATE INDEX `oauth_grants_by_client` ON `oauth_grants` (`client_id`,`tenant_id`,`user_id`);--> statement-breakpoint
ALTER TABLE `memory_items` ADD `created_via` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `text_via` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `via_version` integer;--> statement-breakpoint
ALTER TABLE `memory_versions` ADD `written_via` text;