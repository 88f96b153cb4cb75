CREATE TABLE `memory_classes` (
	`code` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`namespace` text NOT NULL,
	`reader` text NOT NULL,
	`items` integer NOT NULL,
	`words` integer NOT NULL,
	`name` text GENERATED ALWAYS AS (substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 60466176 % 36 + 1, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 1679616 % 36 + 1, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 46656 % 36 + 1, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 1296 % 36 + 1, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 36 % 36 + 1, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', code / 1 % 36 + 1, 1)) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_classes_by_place` ON `memory_classes` (`project_id`,`reader`,`namespace`);--> statement-breakpoint
CREATE INDEX `memory_classes_by_namespace` ON `memory_classes` (`project_id`,`namespace`);--> statement-breakpoint
ALTER TABLE `memory_items` ADD `indexed_by` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `memory_items` ADD `indexed_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `memory_items_to_index` ON `memory_items` (`project_id`) WHERE deleted_at is null and (indexed_by < 2 or indexed_version <> version);
--> statement-breakpoint
INSERT INTO memory_classes (project_id, namespace, reader, items, words)
	SELECT project_id, namespace, iif(visibility = 'project', '', created_by), count(*), sum(word_count)
	FROM memory_items WHERE deleted_at IS NULL GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER `memory_classes_insert` AFTER INSERT ON `memory_items` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO memory_classes (project_id, namespace, reader, items, words)
		VALUES (new.project_id, new.namespace, iif(new.visibility = 'project', '', new.created_by), 1, new.word_count)
		ON CONFLICT (project_id, reader, namespace) DO UPDATE SET items = items + 1, words = words + excluded.words;
END;
--> statement-breakpoint
-- An update names columns that it does not change, so the trigger compares. The new class comes first, as it may be the old one.
CREATE TRIGGER `memory_classes_update` AFTER UPDATE OF word_count, namespace, visibility ON `memory_items`
	WHEN new.deleted_at IS NULL AND old.deleted_at IS NULL
		AND (new.word_count <> old.word_count OR new.namespace <> old.namespace OR new.visibility <> old.visibility) BEGIN
	INSERT INTO memory_classes (project_id, namespace, reader, items, words)
		VALUES (new.project_id, new.namespace, iif(new.visibility = 'project', '', new.created_by), 1, new.word_count)
		ON CONFLICT (project_id, reader, namespace) DO UPDATE SET items = items + 1, words = words + excluded.words;
	UPDATE memory_classes SET items = items - 1, words = words - old.word_count
		WHERE project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
	DELETE FROM memory_classes WHERE items = 0
		AND project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
END;
--> statement-breakpoint
CREATE TRIGGER `memory_classes_tombstone` AFTER UPDATE OF deleted_at ON `memory_items`
	WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL BEGIN
	UPDATE memory_classes SET items = items - 1, words = words - old.word_count
		WHERE project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
	DELETE FROM memory_classes WHERE items = 0
		AND project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
END;
--> statement-breakpoint
CREATE TRIGGER `memory_classes_erase` AFTER DELETE ON `memory_items` WHEN old.deleted_at IS NULL BEGIN
	UPDATE memory_classes SET items = items - 1, words = words - old.word_count
		WHERE project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
	DELETE FROM memory_classes WHERE items = 0
		AND project_id = old.project_id AND namespace = old.namespace AND reader = iif(old.visibility = 'project', '', old.created_by);
END;
