ALTER TABLE "file_references" RENAME TO "stored_files";--> statement-breakpoint
ALTER TABLE "stored_files" RENAME CONSTRAINT "file_references_user_id_users_id_fk" TO "stored_files_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "file_references_pkey" RENAME TO "stored_files_pkey";--> statement-breakpoint
ALTER INDEX "file_references_user_id_index" RENAME TO "stored_files_user_id_index";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_proof_key_file_references_storage_key_fk" TO "orders_proof_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "custom_edit_files" RENAME CONSTRAINT "custom_edit_files_storage_key_file_references_storage_key_fk" TO "custom_edit_files_storage_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "generation_files" RENAME CONSTRAINT "generation_files_storage_key_file_references_storage_key_fk" TO "generation_files_storage_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "stored_files" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_files" ADD COLUMN "delete_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "files_to_delete" ON "stored_files" USING btree ("delete_at") WHERE "stored_files"."delete_at" is not null;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "parts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
INSERT INTO "stored_files" ("storage_key", "bytes", "created_at", "delete_at")
	SELECT 'uploads/' || "id" || '/', 0, "created_at", "expires_at" FROM "uploads";--> statement-breakpoint
UPDATE "uploads" SET "parts" = jsonb_build_array(jsonb_build_object('name', 'received', 'bytes', "received"))
	WHERE "status" = 'receiving' AND "received" > 0;
--> statement-breakpoint
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
--> statement-breakpoint
ALTER TABLE "generation_claims" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "tool_settings" ADD COLUMN "message_en" text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE TABLE "order_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"idempotency_key" text NOT NULL,
	"amount_idr" integer NOT NULL,
	"credits" integer NOT NULL,
	"ends_unlimited" boolean NOT NULL,
	"reference" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	CONSTRAINT "refund_is_money" CHECK ("order_refunds"."amount_idr" > 0 and "order_refunds"."credits" >= 0)
);
--> statement-breakpoint
ALTER TABLE "order_refunds" ADD CONSTRAINT "order_refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_refund_per_key" ON "order_refunds" USING btree ("order_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "order_refunds_created_at_index" ON "order_refunds" USING btree ("created_at");
--> statement-breakpoint
CREATE TABLE "push_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subscription_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"muted" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_subscriptions_sessionId_unique" UNIQUE("session_id"),
	CONSTRAINT "push_subscriptions_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
ALTER TABLE "push_outbox" ADD CONSTRAINT "push_outbox_subscription_id_push_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."push_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_settings" ADD CONSTRAINT "push_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_outbox_created_at_index" ON "push_outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "push_outbox_subscription_id_index" ON "push_outbox" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user_id_index" ON "push_subscriptions" USING btree ("user_id");
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
DROP INDEX "users_by_words";--> statement-breakpoint
DROP INDEX "custom_edits_by_words";--> statement-breakpoint
CREATE INDEX "users_by_parts" ON "users" USING gin (("name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "custom_edits_by_parts" ON "custom_edits" USING gin (("title" || ' ' || "email") gin_trgm_ops);
--> statement-breakpoint
CREATE TABLE "shared_results" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"generation_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"with_original" boolean NOT NULL,
	"password_hash" text,
	"openings" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "shared_results" ADD CONSTRAINT "shared_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_results" ADD CONSTRAINT "shared_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shared_results_user_id_index" ON "shared_results" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "shared_results_generation_id_index" ON "shared_results" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "shared_results_expires_at_index" ON "shared_results" USING btree ("expires_at");
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"text" jsonb NOT NULL,
	"path" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "announcements_ends_at_index" ON "announcements" USING btree ("ends_at");
--> statement-breakpoint
CREATE TABLE "looks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tool" text NOT NULL,
	"name" text NOT NULL,
	"params" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "one_look_per_name" UNIQUE("user_id","tool","name")
);
--> statement-breakpoint
ALTER TABLE "looks" ADD CONSTRAINT "looks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
