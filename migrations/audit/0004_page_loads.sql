CREATE TABLE `page_loads` (
	`at` integer PRIMARY KEY NOT NULL,
	`load` integer NOT NULL
);
