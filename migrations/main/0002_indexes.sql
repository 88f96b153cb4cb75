DROP INDEX `events_by_history`;--> statement-breakpoint
CREATE INDEX `events_by_history` ON `events` (`tenant_id`,`fanned_out_at`,`id`);--> statement-breakpoint
DROP INDEX `projects_to_purge`;--> statement-breakpoint
CREATE INDEX `projects_to_purge` ON `projects` (`deleted_at`) WHERE deleted_at is not null and purged_at is null;--> statement-breakpoint
DROP INDEX `memory_items_by_conversation`;--> statement-breakpoint
DROP INDEX `memory_items_by_document`;--> statement-breakpoint
DROP INDEX `memory_items_by_session`;--> statement-breakpoint
DROP INDEX `memory_items_by_model`;--> statement-breakpoint
CREATE INDEX `memory_items_by_namespace` ON `memory_items` (`project_id`,`namespace`,`created_at`,`id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_conversation` ON `memory_items` (`project_id`,`conversation_id`,`created_at`,`id`) WHERE conversation_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_document` ON `memory_items` (`project_id`,`document_id`,`created_at`,`id`) WHERE document_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_session` ON `memory_items` (`project_id`,`session_id`,`created_at`,`id`) WHERE session_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `memory_items_by_model` ON `memory_items` (`embedding_model`,`embedding_dimension`) WHERE embedding_status = 'completed' and deleted_at is null;--> statement-breakpoint
CREATE INDEX `directory_by_user` ON `directory` (`user_id`);