CREATE TYPE "public"."duty" AS ENUM('finance', 'support');--> statement-breakpoint
CREATE TYPE "public"."notice_mode" AS ENUM('at_once', 'daily', 'never');--> statement-breakpoint
CREATE TABLE "staff_notices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"mode" "notice_mode" NOT NULL,
	"told" jsonb NOT NULL,
	"told_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sent_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"template" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "open_custom_edits";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "duty" "duty";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "transfer_digits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_edit_files" ADD COLUMN "version" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_edit_notes" ADD COLUMN "shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD COLUMN "reopened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "staff_notices" ADD CONSTRAINT "staff_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sent_mails_user_id_sent_at_index" ON "sent_mails" USING btree ("user_id","sent_at");--> statement-breakpoint
CREATE INDEX "sent_mails_sent_at_index" ON "sent_mails" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "users_by_tag" ON "users" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "orders_created_at_index" ON "orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_total_idr_id_index" ON "orders" USING btree ("total_idr","id");--> statement-breakpoint
CREATE INDEX "open_custom_edits" ON "custom_edits" USING btree ("due_at","id") WHERE "custom_edits"."status" in ('new', 'in_progress');