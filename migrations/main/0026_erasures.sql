CREATE TABLE `erasure_conversations` (
	`erasure_id` text NOT NULL,
	`project_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	PRIMARY KEY(`erasure_id`, `project_id`, `conversation_id`)
);
--> statement-breakpoint
CREATE TABLE `erasure_repeats` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`after_key` text DEFAULT '' NOT NULL,
	`finished_at` integer,
	`receipts` integer DEFAULT 0 NOT NULL,
	`repeated` integer DEFAULT 0 NOT NULL,
	`restored` integer DEFAULT 0 NOT NULL,
	`unreadable` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`name_hmac` text NOT NULL,
	`project_ids` text NOT NULL,
	`whole_tenant` integer NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_at` integer NOT NULL,
	`items` integer DEFAULT 0 NOT NULL,
	`retired` integer DEFAULT 0 NOT NULL,
	`versions` integer DEFAULT 0 NOT NULL,
	`vectors` integer DEFAULT 0 NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	`deliveries` integer DEFAULT 0 NOT NULL,
	`digest` text NOT NULL,
	`emptied_at` integer,
	`kept` text,
	`erased_at` integer,
	`rewrite_begun_at` integer,
	`segments` text,
	`index_rewritten_at` integer,
	`stored_at` integer,
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erasures_running` ON `erasures` (`tenant_id`) WHERE status = 'running';--> statement-breakpoint
CREATE INDEX `erasures_by_tenant` ON `erasures` (`tenant_id`,`requested_at`,`id`);--> statement-breakpoint
CREATE INDEX `erasures_to_rewrite` ON `erasures` (`erased_at`) WHERE status = 'erased';--> statement-breakpoint
CREATE INDEX `erasures_to_store` ON `erasures` (`erased_at`) WHERE erased_at is not null and stored_at is null;--> statement-breakpoint
CREATE INDEX `erasures_by_rewrite` ON `erasures` (`rewrite_begun_at`) WHERE rewrite_begun_at is not null;