-- By default each commit that deletes rewrites segments a tenth of which is deleted: up to 0.7 s of a commit that deletes 100 items.
-- A sweep does so instead (src/memory/keyword/merge-segments.ts).
INSERT INTO memory_words (memory_words, rank) VALUES ('deletemerge', 0);
