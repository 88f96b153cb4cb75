DROP INDEX `users_by_tenant`;--> statement-breakpoint
CREATE INDEX `users_by_tenant` ON `users` (`tenant_id`,`created_at`,`id`);