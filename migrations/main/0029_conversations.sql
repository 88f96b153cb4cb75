CREATE TABLE `memory_conversations` (
	`project_id` text NOT NULL,
	`namespace` text NOT NULL,
	`conversation_id` text NOT NULL,
	`version` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `namespace`, `conversation_id`)
);
--> statement-breakpoint
CREATE INDEX `memory_conversations_by_time` ON `memory_conversations` (`project_id`,`last_at`,`namespace`,`conversation_id`);--> statement-breakpoint
CREATE INDEX `memory_conversations_by_namespace` ON `memory_conversations` (`project_id`,`namespace`,`last_at`,`conversation_id`);--> statement-breakpoint
CREATE TABLE `memory_turns` (
	`item_row` integer PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`namespace` text NOT NULL,
	`conversation_id` text NOT NULL,
	`message_key` text NOT NULL,
	`part` integer NOT NULL,
	FOREIGN KEY (`item_row`) REFERENCES `memory_items`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_turns_by_key` ON `memory_turns` (`project_id`,`namespace`,`conversation_id`,`message_key`,`part`);--> statement-breakpoint
ALTER TABLE `memory_items` ADD `role` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `speaker` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `kind` text GENERATED ALWAYS AS (iif(role is null, 'note', 'turn')) VIRTUAL NOT NULL;
--> statement-breakpoint
-- A conversation is as new as its newest turn, and a turn that comes raises its version: an ingest that was planned before is planned again.
CREATE TRIGGER `memory_turns_insert` AFTER INSERT ON `memory_turns` BEGIN
	INSERT INTO memory_conversations (project_id, namespace, conversation_id, version, last_at)
		SELECT new.project_id, new.namespace, new.conversation_id, new.item_row, occurrence FROM memory_items WHERE row = new.item_row
		ON CONFLICT (project_id, namespace, conversation_id) DO UPDATE
			SET version = max(version, excluded.version), last_at = max(last_at, excluded.last_at);
END;
--> statement-breakpoint
CREATE TRIGGER `memory_turns_delete` AFTER DELETE ON `memory_turns`
	WHEN NOT EXISTS (SELECT 1 FROM memory_turns t WHERE t.project_id = old.project_id AND t.namespace = old.namespace
		AND t.conversation_id = old.conversation_id) BEGIN
	DELETE FROM memory_conversations
		WHERE project_id = old.project_id AND namespace = old.namespace AND conversation_id = old.conversation_id;
END;
--> statement-breakpoint
-- A tombstone has a reason. A retired item has none, and stays a turn of its conversation.
CREATE TRIGGER `memory_turns_tombstone` AFTER UPDATE OF delete_reason ON `memory_items`
	WHEN new.delete_reason IS NOT NULL AND old.delete_reason IS NULL AND new.role IS NOT NULL BEGIN
	DELETE FROM memory_turns WHERE item_row = new.row;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_turns_occurrence` AFTER UPDATE OF occurred_at ON `memory_items`
	WHEN new.role IS NOT NULL AND new.delete_reason IS NULL AND new.occurred_at > coalesce(old.occurred_at, old.created_at) BEGIN
	UPDATE memory_conversations SET last_at = max(last_at, new.occurred_at)
		WHERE project_id = new.project_id AND namespace = new.namespace AND conversation_id = new.conversation_id;
END;
