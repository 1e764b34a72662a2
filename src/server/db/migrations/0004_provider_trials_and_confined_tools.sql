ALTER TABLE "provider_jobs" ALTER COLUMN "generation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_settings" ADD COLUMN "remote_allowed" boolean DEFAULT true NOT NULL;