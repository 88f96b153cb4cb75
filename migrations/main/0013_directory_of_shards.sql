CREATE TABLE `client_directory` (
	`id` text PRIMARY KEY NOT NULL,
	`shard` text NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `client_directory_by_expiry` ON `client_directory` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
CREATE TABLE `directory_releases` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shard_states` (
	`shard` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`audit_bytes` integer NOT NULL,
	`requests` integer NOT NULL,
	`usable` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spent_reservations` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_reservations_by_age` ON `spent_reservations` (`created_at`);--> statement-breakpoint
CREATE TABLE `tenant_directory` (
	`id` text PRIMARY KEY NOT NULL,
	`shard` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `directory` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `directory_by_expiry` ON `directory` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
INSERT INTO `client_directory` (`id`, `shard`) SELECT `id`, '00' FROM `oauth_clients` WHERE `user_id` IS NOT NULL AND `deleted_at` IS NULL;--> statement-breakpoint
INSERT INTO `tenant_directory` (`id`, `shard`) SELECT `id`, '00' FROM `tenants`;
