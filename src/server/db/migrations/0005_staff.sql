ALTER TABLE "generation_claims" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "tool_settings" ADD COLUMN "message_en" text DEFAULT '' NOT NULL;