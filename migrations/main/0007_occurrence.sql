ALTER TABLE `memory_items` ADD `occurred_at` integer;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `occurrence` integer GENERATED ALWAYS AS (coalesce(occurred_at, created_at)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `memory_items_by_occurrence` ON `memory_items` (`project_id`,`occurrence`,`id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_namespace_occurrence` ON `memory_items` (`project_id`,`namespace`,`occurrence`,`id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_turn` ON `memory_items` (`project_id`,`conversation_id`,`namespace`,`occurrence`,`id`) WHERE conversation_id is not null and deleted_at is null;