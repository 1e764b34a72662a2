CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"text" jsonb NOT NULL,
	"path" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "announcements_ends_at_index" ON "announcements" USING btree ("ends_at");