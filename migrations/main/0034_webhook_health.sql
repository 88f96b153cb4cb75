ALTER TABLE `subscriptions` ADD `last_attempt_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_attempt_status_code` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_attempt_error` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_success_at` integer;--> statement-breakpoint
-- The walk from the newest delivery ends at the first success. Without one the next success fills the column.
UPDATE `subscriptions` SET `last_success_at` = (
	SELECT delivered_at FROM deliveries WHERE subscription_id = subscriptions.id AND status = 'delivered'
		ORDER BY created_at DESC LIMIT 1
) WHERE deleted_at IS NULL;
