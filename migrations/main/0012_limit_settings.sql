CREATE TABLE `limit_settings` (
	`subject` text NOT NULL,
	`account_class` text NOT NULL,
	`name` text NOT NULL,
	`permits` integer NOT NULL,
	`holder` text NOT NULL,
	`tenant_id` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`subject`, `account_class`, `name`)
);
--> statement-breakpoint
CREATE INDEX `limit_settings_by_holder` ON `limit_settings` (`holder`);--> statement-breakpoint
CREATE TABLE `operator_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`operator` text NOT NULL,
	`request_id` text NOT NULL,
	`subject` text NOT NULL,
	`tenant_id` text,
	`changes` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_changes_by_age` ON `operator_changes` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `operator_changes_by_subject` ON `operator_changes` (`subject`,`created_at`,`id`);