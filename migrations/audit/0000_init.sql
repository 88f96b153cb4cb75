CREATE TABLE `audit_pages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`rows` text NOT NULL
);
CREATE INDEX `audit_pages_by_tenant` ON `audit_pages` (`tenant_id`, `last_at`, `id`);
CREATE INDEX `audit_pages_by_age` ON `audit_pages` (`last_at`);
CREATE TABLE `usage_counts` (
	`tenant_id` text NOT NULL,
	`at` integer NOT NULL,
	`user_id` text NOT NULL,
	`operation` text NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY (`tenant_id`, `at`, `user_id`, `operation`, `outcome`)
);
CREATE INDEX `usage_counts_by_age` ON `usage_counts` (`at`);
CREATE TABLE `consumed` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
CREATE INDEX `consumed_by_age` ON `consumed` (`at`);
