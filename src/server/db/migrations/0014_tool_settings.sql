CREATE TABLE "tool_settings" (
	"tool" text PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT 'local' NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "fallback_from" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "remote_jobs" jsonb DEFAULT '{}'::jsonb NOT NULL;