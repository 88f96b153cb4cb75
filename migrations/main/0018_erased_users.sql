ALTER TABLE `users` ADD `purged_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_purge` ON `users` (`deleted_at`) WHERE deleted_at is not null and purged_at is null;