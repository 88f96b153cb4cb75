-- The word index (docs/search.md): pre-cut words (src/memory/tokens.ts), so the tokenizer only splits at spaces.
CREATE VIRTUAL TABLE `memory_words` USING fts5(`words`, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
CREATE VIRTUAL TABLE `memory_words_instances` USING fts5vocab('memory_words', 'instance');
--> statement-breakpoint
-- What BM25 needs to know about each project: its live items and their words.
CREATE TABLE `project_words` (
	`project_id` text PRIMARY KEY NOT NULL,
	`items` integer NOT NULL,
	`words` integer NOT NULL
) WITHOUT ROWID;
