ALTER TABLE "billing_differences" ADD COLUMN "settled_by" uuid;--> statement-breakpoint
ALTER TABLE "billing_differences" ADD COLUMN "settlement" text;