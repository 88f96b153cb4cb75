-- The word index (docs/search.md): each word of a text once, cut and marked by src/memory/keyword/keyword-index.ts, so the tokenizer
-- only splits at spaces and nothing but "which word in which item" is kept.
CREATE VIRTUAL TABLE `memory_words` USING fts5(`words`, content='', contentless_delete=1, detail='none', tokenize='ascii');
--> statement-breakpoint
-- Each commit adds a segment, and a search looks into each: `merge` (src/memory/keyword/merge-segments.ts) begins with two of a size.
INSERT INTO memory_words (memory_words, rank) VALUES ('usermerge', 2);
--> statement-breakpoint
CREATE VIRTUAL TABLE `memory_words_instances` USING fts5vocab('memory_words', 'instance');
--> statement-breakpoint
-- What BM25 needs to know about each project: its live items and their words.
CREATE TABLE `project_words` (
	`project_id` text PRIMARY KEY NOT NULL,
	`items` integer NOT NULL,
	`words` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `memory_items_count_insert` AFTER INSERT ON `memory_items` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO project_words (project_id, items, words) VALUES (new.project_id, 1, new.word_count)
		ON CONFLICT (project_id) DO UPDATE SET items = items + 1, words = words + excluded.words;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_count_words` AFTER UPDATE OF word_count ON `memory_items`
	WHEN new.deleted_at IS NULL AND old.deleted_at IS NULL AND new.word_count <> old.word_count BEGIN
	UPDATE project_words SET words = words + new.word_count - old.word_count WHERE project_id = new.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_tombstone` AFTER UPDATE OF deleted_at ON `memory_items`
	WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL BEGIN
	DELETE FROM memory_words WHERE rowid = old.row;
	UPDATE project_words SET items = items - 1, words = words - old.word_count WHERE project_id = old.project_id;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_items_erase` AFTER DELETE ON `memory_items` WHEN old.deleted_at IS NULL BEGIN
	DELETE FROM memory_words WHERE rowid = old.row;
	UPDATE project_words SET items = items - 1, words = words - old.word_count WHERE project_id = old.project_id;
END;
