CREATE TYPE "public"."account_token_purpose" AS ENUM('verify_email', 'reset_password');--> statement-breakpoint
CREATE TYPE "public"."language" AS ENUM('id', 'en');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('user', 'designer', 'admin');--> statement-breakpoint
CREATE TYPE "public"."grant_source" AS ENUM('package', 'voucher', 'welcome', 'refund', 'adjustment');--> statement-breakpoint
CREATE TYPE "public"."ledger_kind" AS ENUM('purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry');--> statement-breakpoint
CREATE TYPE "public"."generation_file_role" AS ENUM('input', 'extra', 'kept', 'output', 'thumbnail');--> statement-breakpoint
CREATE TYPE "public"."generation_status" AS ENUM('queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."mail_template" AS ENUM('verify_email', 'address_in_use', 'reset_password', 'password_changed');--> statement-breakpoint
CREATE SEQUENCE "public"."generation_changes" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "account_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" "account_token_purpose" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"remember" boolean NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"role" "role" DEFAULT 'user' NOT NULL,
	"language" "language" DEFAULT 'id' NOT NULL,
	"email_verified_at" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "credit_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"balance" integer DEFAULT 0 NOT NULL,
	"unlimited_until" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "balance_not_negative" CHECK ("credit_accounts"."balance" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_grant_moves" (
	"entry_id" bigint NOT NULL,
	"grant_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	CONSTRAINT "credit_grant_moves_entry_id_grant_id_pk" PRIMARY KEY("entry_id","grant_id")
);
--> statement-breakpoint
CREATE TABLE "credit_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"source" "grant_source" NOT NULL,
	"amount" integer NOT NULL,
	"remaining" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "remaining_in_range" CHECK ("credit_grants"."remaining" between 0 and "credit_grants"."amount")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"kind" "ledger_kind" NOT NULL,
	"amount" integer NOT NULL,
	"balance_after" integer NOT NULL,
	"unique_key" text NOT NULL,
	"subject_id" uuid,
	"price" jsonb,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_entries_uniqueKey_unique" UNIQUE("unique_key")
);
--> statement-breakpoint
CREATE TABLE "tool_prices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tool_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tool" text NOT NULL,
	"unit" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "generation_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"generation_id" uuid NOT NULL,
	"role" "generation_file_role" NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"position" smallint DEFAULT 0 NOT NULL,
	"storage_key" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tool" text NOT NULL,
	"params" jsonb NOT NULL,
	"status" "generation_status" DEFAULT 'queued' NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"credits" integer NOT NULL,
	"provider" text DEFAULT 'local' NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_code" text,
	"idempotency_key" text NOT NULL,
	"content_hash" text NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"change" bigint DEFAULT nextval('generation_changes') NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "one_generation_per_key" UNIQUE("user_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"template" "mail_template" NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grant_moves" ADD CONSTRAINT "credit_grant_moves_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grant_moves" ADD CONSTRAINT "credit_grant_moves_grant_id_credit_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."credit_grants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grants" ADD CONSTRAINT "credit_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_files" ADD CONSTRAINT "generation_files_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_tokens_user_id_index" ON "account_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "open_grants" ON "credit_grants" USING btree ("user_id","expires_at") WHERE "credit_grants"."remaining" > 0;--> statement-breakpoint
CREATE INDEX "ledger_entries_user_id_id_index" ON "ledger_entries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "tool_prices_tool_id_index" ON "tool_prices" USING btree ("tool","id");--> statement-breakpoint
CREATE INDEX "generation_files_generation_id_index" ON "generation_files" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "generations_user_id_id_index" ON "generations" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "generations_user_id_change_index" ON "generations" USING btree ("user_id","change");--> statement-breakpoint
CREATE INDEX "open_generations" ON "generations" USING btree ("id") WHERE "generations"."status" in ('queued', 'detecting', 'generating');--> statement-breakpoint
CREATE INDEX "mail_outbox_user_id_index" ON "mail_outbox" USING btree ("user_id");