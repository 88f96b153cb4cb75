ALTER TABLE `projects` ADD `retention` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `subject` text;--> statement-breakpoint
CREATE INDEX `memory_items_by_subject` ON `memory_items` (`project_id`,`subject`,`deleted_at`,`created_at`,`id`) WHERE subject is not null;