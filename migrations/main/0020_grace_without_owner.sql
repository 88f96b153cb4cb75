-- Applications without an owner get the grace window that new ones have (src/auth/oauth/clients/new-client.ts).
UPDATE `oauth_clients` SET `refresh_grace_seconds` = 600 WHERE `user_id` IS NULL;
