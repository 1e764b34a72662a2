ALTER TABLE "provider_jobs" ALTER COLUMN "generation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_settings" ADD COLUMN "remote_allowed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
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
CREATE INDEX "generation_claims_status_created_at_generation_id_index" ON "generation_claims" USING btree ("status","created_at","generation_id");--> statement-breakpoint
ALTER TYPE "public"."generation_file_role" ADD VALUE 'earlier';--> statement-breakpoint
ALTER TYPE "public"."generation_file_role" ADD VALUE 'link_picture';--> statement-breakpoint
CREATE TABLE "renderings" (
	"generation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"params" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	CONSTRAINT "renderings_generation_id_position_pk" PRIMARY KEY("generation_id","position")
);
--> statement-breakpoint
CREATE TABLE "logos" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"picture" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "rendering" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "newest_rendering" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "renderings" ADD CONSTRAINT "renderings_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;