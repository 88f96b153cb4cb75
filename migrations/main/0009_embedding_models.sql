CREATE TABLE `embedding_models` (
	`model` text PRIMARY KEY NOT NULL,
	`dimension` integer NOT NULL,
	`learnt_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `memory_items_by_model`;--> statement-breakpoint
CREATE INDEX `memory_items_by_model` ON `memory_items` (`embedding_model`,`embedding_dimension`,`project_id`) WHERE embedding_status = 'completed' and deleted_at is null;