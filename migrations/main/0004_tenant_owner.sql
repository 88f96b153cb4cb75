ALTER TABLE `tenants` ADD `owner_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `joined_through` text;--> statement-breakpoint
CREATE INDEX `invitations_by_email` ON `invitations` (`tenant_id`,`email`);--> statement-breakpoint
UPDATE `tenants` SET `owner_id` = (
  SELECT CASE WHEN `u`.`deleted_at` IS NULL THEN `u`.`id` END FROM `users` `u`
  WHERE `u`.`tenant_id` = `tenants`.`id` AND `u`.`kind` = 'person' ORDER BY `u`.`created_at`, `u`.`id` LIMIT 1
);
