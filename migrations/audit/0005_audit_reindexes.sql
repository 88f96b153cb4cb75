CREATE TABLE `audit_reindexes` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`after_key` text DEFAULT '' NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`restored` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL,
	`unreadable` integer DEFAULT 0 NOT NULL,
	`pages_deleted` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
