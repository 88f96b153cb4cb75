-- SQLite cannot compose characters. So items with a name above ASCII that are not due become due, and the sweep that indexes
-- items again also brings their names to the form NFC (src/memory/keyword/reindex.ts).
UPDATE `memory_items` SET `indexed_version` = 0
	WHERE deleted_at IS NULL AND indexed_by = 2
		AND (custom_id GLOB '*[^ -~]*' OR conversation_id GLOB '*[^ -~]*' OR document_id GLOB '*[^ -~]*'
			OR session_id GLOB '*[^ -~]*' OR tags GLOB '*[^ -~]*');
