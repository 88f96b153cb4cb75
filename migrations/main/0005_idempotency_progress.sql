CREATE TABLE `idempotency_progress` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`commit_id` text NOT NULL,
	`operations` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`, `path`, `key`, `fingerprint`, `commit_id`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_progress_by_age` ON `idempotency_progress` (`created_at`);