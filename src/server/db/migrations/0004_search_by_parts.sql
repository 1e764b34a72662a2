DROP INDEX "users_by_words";--> statement-breakpoint
DROP INDEX "custom_edits_by_words";--> statement-breakpoint
CREATE INDEX "users_by_parts" ON "users" USING gin (("name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "custom_edits_by_parts" ON "custom_edits" USING gin (("title" || ' ' || "email") gin_trgm_ops);