CREATE TABLE "inspections" (
	"content_hash" text PRIMARY KEY NOT NULL,
	"inspection" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generation_files" ADD COLUMN "seconds" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "lane" text DEFAULT 'pictures' NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "turn" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "inspections_created_at_index" ON "inspections" USING btree ("created_at");