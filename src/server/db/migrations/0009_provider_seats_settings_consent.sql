ALTER TYPE "public"."consent_kind" ADD VALUE 'remote';--> statement-breakpoint
CREATE TABLE "provider_settings" (
	"provider" text NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	CONSTRAINT "provider_settings_provider_version_pk" PRIMARY KEY("provider","version")
);
--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD COLUMN "reference" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD COLUMN "seat" text;--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD COLUMN "smaller" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "provider_jobs" ADD COLUMN "height" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "one_job_per_seat" ON "provider_jobs" USING btree ("seat") WHERE "provider_jobs"."state" in ('asked', 'waiting');--> statement-breakpoint
CREATE INDEX "provider_jobs_of_sending" ON "provider_jobs" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "jobs_of_provider" ON "provider_jobs" USING btree ("provider","created_at");