ALTER TABLE `subscriptions` ADD `last_attempt_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_attempt_status_code` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_attempt_error` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `last_success_at` integer;--> statement-breakpoint
-- The walk from the newest delivery ends at the first success, and after 1,000 deliveries: a receiver may have failed for days.
-- Where it finds none, the next success fills the column.
UPDATE `subscriptions` SET `last_success_at` = (
	SELECT delivered_at FROM (
		SELECT status, delivered_at FROM deliveries WHERE subscription_id = subscriptions.id
			ORDER BY created_at DESC LIMIT 1000
	) WHERE status = 'delivered' LIMIT 1
) WHERE deleted_at IS NULL;
