ALTER TYPE "public"."generation_file_role" ADD VALUE 'task';--> statement-breakpoint
CREATE TABLE "provider_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"generation_id" uuid NOT NULL,
	"place" text NOT NULL,
	"task" text NOT NULL,
	"provider" text NOT NULL,
	"external_id" text,
	"state" text NOT NULL,
	"sent" smallint DEFAULT 0 NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"cost" real,
	"error" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "one_job_per_provider" UNIQUE("generation_id","place","provider")
);
--> statement-breakpoint
CREATE TABLE "provider_orders" (
	"task" text NOT NULL,
	"tool" text DEFAULT '' NOT NULL,
	"version" integer NOT NULL,
	"providers" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	CONSTRAINT "provider_orders_task_tool_version_pk" PRIMARY KEY("task","tool","version")
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "wait_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD CONSTRAINT "provider_jobs_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_provider_jobs" ON "provider_jobs" USING btree ("created_at") WHERE "provider_jobs"."state" in ('wanted', 'asked', 'waiting');--> statement-breakpoint
CREATE INDEX "failed_provider_jobs" ON "provider_jobs" USING btree ("ended_at") WHERE "provider_jobs"."state" = 'failed';--> statement-breakpoint
ALTER TABLE "generations" DROP COLUMN "remote_jobs";--> statement-breakpoint
ALTER TABLE "tool_settings" DROP COLUMN "provider";--> statement-breakpoint
-- A queue of their own had runs that waited for others; they wait in no queue now.
UPDATE "generations" SET "queue" = 'run-generation' WHERE "queue" = 'run-remote';
