PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE `d1_migrations` (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
INSERT INTO d1_migrations VALUES(1,'0000_init.sql');
CREATE TABLE `memory_items` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`embedding_status` text DEFAULT 'pending' NOT NULL,
	`embedding_model` text,
	`embedding_dimension` integer,
	`embedding_error` text,
	`embedded_version` integer,
	`chunk_count` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`next_attempt_at` integer NOT NULL,
	`deleted_at` integer,
	`text` text NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO memory_items VALUES(1,'mem_1','prj_1','completed','model',768,NULL,1,1,0,'req_1',NULL,5,NULL,replace(replace('The quick fox.\012It''s written out: \n; a line that ends so;\012\rCREATE TABLE x (y);','\r',char(13)),'\012',char(10)));
INSERT INTO memory_items VALUES(2,'mem_2','prj_1','completed','model',768,NULL,1,1,0,'req_1',NULL,5,9,'A tombstone.');
CREATE TABLE `projects` (
	`code` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL UNIQUE
);
INSERT INTO projects VALUES(12,'prj_1');
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','memory_words','memory_words',0,'CREATE VIRTUAL TABLE `memory_words` USING fts5(`words`, content='''', detail=''none'', tokenize=''ascii'')');
CREATE TABLE IF NOT EXISTS 'memory_words_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO memory_words_data VALUES(1,X'0101');
INSERT INTO memory_words_data VALUES(10,X'000000000101010001010101');
INSERT INTO memory_words_data VALUES(137438953473,X'000000120c30313278666f78c2b73139330104');
CREATE TABLE IF NOT EXISTS 'memory_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO memory_words_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'memory_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
INSERT INTO memory_words_docsize VALUES(1,X'01');
CREATE TABLE IF NOT EXISTS 'memory_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO memory_words_config VALUES('version',4);
CREATE TABLE `project_words` (
	`project_id` text PRIMARY KEY NOT NULL,
	`items` integer NOT NULL
) WITHOUT ROWID;
INSERT INTO project_words VALUES('prj_1',1);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('d1_migrations',1);
INSERT INTO sqlite_sequence VALUES('projects',12);
INSERT INTO sqlite_sequence VALUES('memory_items',2);
CREATE UNIQUE INDEX `memory_items_by_id` ON `memory_items` (`id`);
CREATE TRIGGER `memory_items_count_insert` AFTER INSERT ON `memory_items` WHEN new.deleted_at IS NULL BEGIN
	INSERT INTO project_words (project_id, items) VALUES (new.project_id, 1)
		ON CONFLICT (project_id) DO UPDATE SET items = items + 1;
END;
PRAGMA writable_schema=OFF;
COMMIT;
