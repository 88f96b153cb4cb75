CREATE TABLE `figures` (
	`family` text NOT NULL,
	`labels` text NOT NULL,
	`at` integer NOT NULL,
	`count` integer NOT NULL,
	`total_ms` integer NOT NULL,
	`d0` integer NOT NULL,
	`d1` integer NOT NULL,
	`d2` integer NOT NULL,
	`d3` integer NOT NULL,
	`d4` integer NOT NULL,
	`d5` integer NOT NULL,
	`d6` integer NOT NULL,
	`d7` integer NOT NULL,
	`d8` integer NOT NULL,
	`d9` integer NOT NULL,
	`d10` integer NOT NULL,
	PRIMARY KEY (`family`, `labels`)
);
CREATE TABLE `gauges` (
	`family` text NOT NULL,
	`labels` text NOT NULL,
	`at` integer NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY (`family`, `labels`)
);
