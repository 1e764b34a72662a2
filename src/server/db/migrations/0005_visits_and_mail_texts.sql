CREATE TABLE "daily_visits" (
	"day" date PRIMARY KEY NOT NULL,
	"visits" integer NOT NULL,
	"visitors" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_texts" (
	"template" text NOT NULL,
	"language" text NOT NULL,
	"version" integer NOT NULL,
	"texts" jsonb,
	CONSTRAINT "mail_texts_template_language_pk" PRIMARY KEY("template","language")
);
--> statement-breakpoint
DROP INDEX "waiting_claims";--> statement-breakpoint
CREATE INDEX "generation_claims_status_created_at_generation_id_index" ON "generation_claims" USING btree ("status","created_at","generation_id");