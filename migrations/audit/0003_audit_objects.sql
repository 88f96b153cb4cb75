CREATE TABLE `audit_objects` (
	`key` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`first_at` integer NOT NULL,
	`oldest_at` integer NOT NULL,
	`oldest_id` text NOT NULL,
	`newest_at` integer NOT NULL,
	`newest_id` text NOT NULL,
	`span_ms` integer NOT NULL,
	`pages` integer NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`stored_at` integer
);
CREATE INDEX `audit_objects_by_tenant` ON `audit_objects` (`tenant_id`, `newest_at`, `newest_id`) WHERE `stored_at` is not null;
CREATE INDEX `audit_objects_by_span` ON `audit_objects` (`tenant_id`, `span_ms`, `newest_at`) WHERE `stored_at` is not null and `span_ms` > 0;
CREATE INDEX `audit_objects_by_age` ON `audit_objects` (`newest_at`);
