ALTER TABLE `shard_states` ADD `missing_tenants` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tenant_directory_by_shard` ON `tenant_directory` (`shard`);