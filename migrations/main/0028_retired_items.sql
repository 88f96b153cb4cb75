ALTER TABLE `memory_items` ADD `retired_at` integer;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `retired_reason` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `superseded_by` text;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `unpurged_version` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `memory_items_by_held_id` ON `memory_items` (`project_id`,`namespace`,`custom_id`) WHERE custom_id is not null and (deleted_at is null or retired_at is not null);--> statement-breakpoint
CREATE INDEX `memory_items_retired` ON `memory_items` (`project_id`,`created_at`,`id`) WHERE retired_at is not null;--> statement-breakpoint
CREATE INDEX `memory_items_retired_by_namespace` ON `memory_items` (`project_id`,`namespace`,`created_at`,`id`) WHERE retired_at is not null;--> statement-breakpoint
CREATE INDEX `memory_items_retired_private` ON `memory_items` (`created_by`) WHERE visibility = 'private' and retired_at is not null;--> statement-breakpoint
CREATE INDEX `memory_items_retired_to_expire` ON `memory_items` (`expires_at`) WHERE expires_at is not null and retired_at is not null;--> statement-breakpoint
CREATE INDEX `memory_items_retired_by_conversation` ON `memory_items` (`project_id`,`conversation_id`) WHERE conversation_id is not null and retired_at is not null;--> statement-breakpoint
CREATE INDEX `memory_items_to_unload` ON `memory_items` (`deleted_at`) WHERE unpurged_version is not null;
--> statement-breakpoint
-- A retired item counts in quota and usage, and in no keyword score.
ALTER TABLE `project_words` ADD `retired` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `memory_items_count_retired_insert` AFTER INSERT ON `memory_items` WHEN new.retired_at IS NOT NULL BEGIN
	INSERT INTO project_words (project_id, items, words, retired) VALUES (new.project_id, 0, 0, 1)
		ON CONFLICT (project_id) DO UPDATE SET retired = retired + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_count_retired` AFTER UPDATE OF retired_at ON `memory_items`
	WHEN (new.retired_at IS NULL) <> (old.retired_at IS NULL) BEGIN
	UPDATE project_words SET retired = retired + iif(new.retired_at IS NULL, -1, 1) WHERE project_id = new.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_count_retired_erase` AFTER DELETE ON `memory_items` WHEN old.retired_at IS NOT NULL BEGIN
	UPDATE project_words SET retired = retired - 1 WHERE project_id = old.project_id;
END;
--> statement-breakpoint
-- What `memory_items_tombstone` and `memory_classes_tombstone` took away comes back with a restore.
CREATE TRIGGER `memory_items_restore` AFTER UPDATE OF deleted_at ON `memory_items`
	WHEN new.deleted_at IS NULL AND old.deleted_at IS NOT NULL BEGIN
	UPDATE project_words SET items = items + 1, words = words + new.word_count WHERE project_id = new.project_id;
	INSERT INTO memory_classes (project_id, namespace, reader, items, words)
		VALUES (new.project_id, new.namespace, iif(new.visibility = 'project', '', new.created_by), 1, new.word_count)
		ON CONFLICT (project_id, reader, namespace) DO UPDATE SET items = items + 1, words = words + excluded.words;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_unloaded` AFTER UPDATE OF unpurged_version ON `memory_items`
	WHEN new.unpurged_version IS NULL AND old.unpurged_version IS NOT NULL BEGIN
	UPDATE project_words SET vectors_revision = random() & 0x1fffffffffffff WHERE project_id = new.project_id;
END;
