ALTER TABLE `sessions` ADD `device_hash` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `network_hash` text;--> statement-breakpoint
CREATE INDEX `sessions_by_device` ON `sessions` (`user_id`,`device_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_network` ON `sessions` (`user_id`,`network_hash`);