CREATE TABLE `request_hours` (
	`tenant_id` text NOT NULL,
	`at` integer NOT NULL,
	`user_id` text NOT NULL,
	`operation` text NOT NULL,
	`credential` text NOT NULL,
	`project_id` text NOT NULL,
	`outcome` text NOT NULL,
	`total_ms` integer NOT NULL,
	`d0` integer NOT NULL,
	`d1` integer NOT NULL,
	`d2` integer NOT NULL,
	`d3` integer NOT NULL,
	`d4` integer NOT NULL,
	`d5` integer NOT NULL,
	`d6` integer NOT NULL,
	`d7` integer NOT NULL,
	`d8` integer NOT NULL,
	`d9` integer NOT NULL,
	`d10` integer NOT NULL,
	PRIMARY KEY (`tenant_id`, `at`, `user_id`, `operation`, `credential`, `project_id`, `outcome`)
);
CREATE INDEX `request_hours_by_age` ON `request_hours` (`at`);
CREATE TABLE `embedding_backlogs` (
	`tenant_id` text NOT NULL,
	`at` integer NOT NULL,
	`shard` text NOT NULL,
	`waiting` integer NOT NULL,
	PRIMARY KEY (`tenant_id`, `at`, `shard`)
);
CREATE INDEX `embedding_backlogs_by_age` ON `embedding_backlogs` (`at`);
