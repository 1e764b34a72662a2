ALTER TABLE "payments" ADD COLUMN "settled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "settled_by" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "settlement" text;