ALTER TABLE `oauth_clients` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `oauth_clients` ADD `fresh_until` integer;--> statement-breakpoint
ALTER TABLE `oauth_tokens` ADD `resource` text;