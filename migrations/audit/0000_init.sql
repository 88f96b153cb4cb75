CREATE TABLE `audit_pages` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`rows` text NOT NULL
);
CREATE INDEX `audit_pages_by_tenant` ON `audit_pages` (`tenant_id`, `last_at`);
CREATE INDEX `audit_pages_by_age` ON `audit_pages` (`last_at`);
