-- Another number after each commit that says that vectors of the project were stored or removed. An isolate that holds a copy
-- of the vectors compares it (src/memory/search/vector-revisions.ts). It is drawn at random, of 53 bits: a count would come
-- again after a restore.
ALTER TABLE `project_words` ADD COLUMN `vectors_revision` integer NOT NULL DEFAULT 0;
--> statement-breakpoint
-- An update names columns that it does not change, so the trigger compares.
CREATE TRIGGER `memory_items_vectors` AFTER UPDATE OF embedding_status, vectors_purged_at ON `memory_items`
	WHEN (new.embedding_status = 'completed' AND old.embedding_status <> 'completed')
		OR (new.vectors_purged_at IS NOT NULL AND old.vectors_purged_at IS NULL) BEGIN
	UPDATE project_words SET vectors_revision = random() & 0x1fffffffffffff WHERE project_id = new.project_id;
END;
