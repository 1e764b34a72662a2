CREATE TYPE "public"."account_token_purpose" AS ENUM('verify_email', 'reset_password', 'change_email', 'confirm', 'sign_in', 'second_factor', 'first_factor', 'keep_factors');--> statement-breakpoint
CREATE TYPE "public"."consent_kind" AS ENUM('biometric');--> statement-breakpoint
CREATE TYPE "public"."language" AS ENUM('id', 'en');--> statement-breakpoint
CREATE TYPE "public"."provider" AS ENUM('google', 'facebook');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('user', 'designer', 'admin');--> statement-breakpoint
CREATE TYPE "public"."order_actor" AS ENUM('buyer', 'gateway', 'admin', 'system');--> statement-breakpoint
CREATE TYPE "public"."payment_driver" AS ENUM('simulator', 'manual', 'xendit');--> statement-breakpoint
CREATE TYPE "public"."payment_attempt_status" AS ENUM('creating', 'open', 'failed', 'paid', 'expired', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."payment_problem" AS ENUM('wrong_amount', 'wrong_currency', 'paid_again', 'account_deleted');--> statement-breakpoint
CREATE TYPE "public"."simulator_status" AS ENUM('ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED');--> statement-breakpoint
CREATE TYPE "public"."voucher_kind" AS ENUM('free_credits', 'percent_off', 'amount_off');--> statement-breakpoint
CREATE TYPE "public"."grant_source" AS ENUM('package', 'voucher', 'welcome', 'refund', 'adjustment');--> statement-breakpoint
CREATE TYPE "public"."ledger_kind" AS ENUM('purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry');--> statement-breakpoint
CREATE TYPE "public"."custom_edit_file_role" AS ENUM('attachment', 'result');--> statement-breakpoint
CREATE TYPE "public"."custom_edit_status" AS ENUM('new', 'in_progress', 'done', 'declined');--> statement-breakpoint
CREATE TYPE "public"."claim_status" AS ENUM('refunded', 'waiting', 'declined');--> statement-breakpoint
CREATE TYPE "public"."generation_file_role" AS ENUM('input', 'kept', 'output', 'thumbnail');--> statement-breakpoint
CREATE TYPE "public"."generation_status" AS ENUM('queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."upload_status" AS ENUM('receiving', 'ready');--> statement-breakpoint
CREATE SEQUENCE "public"."generation_changes" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "account_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" "account_token_purpose" NOT NULL,
	"email" text,
	"remember" boolean,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" "consent_kind" NOT NULL,
	"version" text NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"provider" "provider" NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_devices_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"public_key" text NOT NULL,
	"counter" integer NOT NULL,
	"transports" jsonb NOT NULL,
	"name" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"removal_due_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"remember" boolean NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"second_factor_at" timestamp with time zone,
	"may_enrol_until" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"signed_out_elsewhere" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"last_step" integer,
	"wrong_codes" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"removal_due_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"role" "role" DEFAULT 'user' NOT NULL,
	"language" "language" DEFAULT 'id' NOT NULL,
	"theme" jsonb,
	"email_verified_at" timestamp with time zone,
	"password_change_due" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "daily_figures" (
	"day" date PRIMARY KEY NOT NULL,
	"revenue_idr" bigint NOT NULL,
	"orders" integer NOT NULL,
	"new_users" integer NOT NULL,
	"active_users" integer NOT NULL,
	"credits_sold" bigint NOT NULL,
	"credits_spent" bigint NOT NULL,
	"credits_expired" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_people" (
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "daily_people_day_user_id_pk" PRIMARY KEY("day","user_id")
);
--> statement-breakpoint
CREATE TABLE "daily_runs" (
	"day" date NOT NULL,
	"tool" text NOT NULL,
	"outcome" smallint NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "daily_runs_day_tool_outcome_pk" PRIMARY KEY("day","tool","outcome")
);
--> statement-breakpoint
CREATE TABLE "people_counts" (
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "people_counts_from_day_to_day_pk" PRIMARY KEY("from_day","to_day")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"address_class" text NOT NULL,
	"detail" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "exchange_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"idr_per_usd" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "rate_positive" CHECK ("exchange_rates"."idr_per_usd" > 0)
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"version" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "packages_version_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"name" text NOT NULL,
	"cents" integer NOT NULL,
	"credits" integer,
	"days" integer NOT NULL,
	"position" smallint NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "package_in_range" CHECK ("packages"."cents" >= 0 and coalesce("packages"."credits", 1) > 0 and "packages"."days" > 0)
);
--> statement-breakpoint
CREATE TABLE "billing_checks" (
	"check" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error" text,
	"position" jsonb
);
--> statement-breakpoint
CREATE TABLE "billing_differences" (
	"key" text PRIMARY KEY NOT NULL,
	"check" text NOT NULL,
	"what" text NOT NULL,
	"subject_id" text NOT NULL,
	"expected" text NOT NULL,
	"found" text NOT NULL,
	"user_id" uuid,
	"count" integer DEFAULT 1 NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"settled_by" uuid,
	"settlement" text
);
--> statement-breakpoint
CREATE TABLE "expiry_reminders" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"from" smallint,
	"to" smallint NOT NULL,
	"by" "order_actor" NOT NULL,
	"actor_id" uuid,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" smallint NOT NULL,
	"package_id" text,
	"package_name" text,
	"package_cents" integer NOT NULL,
	"package_credits" integer,
	"package_days" integer,
	"voucher_id" uuid,
	"voucher_code" text,
	"voucher_kind" "voucher_kind",
	"voucher_credits" integer DEFAULT 0 NOT NULL,
	"voucher_days" integer,
	"idr_per_usd" integer NOT NULL,
	"subtotal_idr" integer NOT NULL,
	"discount_idr" integer NOT NULL,
	"total_idr" integer NOT NULL,
	"method" text,
	"driver" "payment_driver",
	"idempotency_key" text NOT NULL,
	"content_hash" text NOT NULL,
	"accepted_at" timestamp with time zone NOT NULL,
	"mobile_number" text,
	"proof_key" text,
	"proof_type" text,
	"proof_bytes" integer,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"receipt" integer,
	"receipt_parties" jsonb,
	CONSTRAINT "orders_receipt_unique" UNIQUE("receipt"),
	CONSTRAINT "one_order_per_key" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "order_status_known" CHECK ("orders"."status" between 0 and 3),
	CONSTRAINT "paid_is_complete" CHECK (("orders"."status" = 2) = ("orders"."paid_at" is not null and "orders"."receipt" is not null)),
	CONSTRAINT "order_adds_up" CHECK ("orders"."total_idr" = "orders"."subtotal_idr" - "orders"."discount_idr" and "orders"."total_idr" >= 0)
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"id" smallint PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"order_id" uuid NOT NULL,
	"language" "language" NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "receipts_order_id_language_pk" PRIMARY KEY("order_id","language")
);
--> statement-breakpoint
CREATE TABLE "voucher_redemptions" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"voucher_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"released_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"driver" "payment_driver" NOT NULL,
	"method" text NOT NULL,
	"amount_idr" integer NOT NULL,
	"status" "payment_attempt_status" NOT NULL,
	"session_id" text,
	"request_id" text,
	"url" text,
	"va_number" text,
	"qr_content" text,
	"account" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"claimed_at" timestamp with time zone,
	"request" jsonb,
	"closing" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	"reads" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"attempt_id" uuid,
	"driver" "payment_driver" NOT NULL,
	"payment_id" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"problem" "payment_problem",
	"received_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"settled_by" uuid,
	"settlement" text
);
--> statement-breakpoint
CREATE TABLE "simulator_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reference" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"method" text NOT NULL,
	"status" "simulator_status" NOT NULL,
	"payments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "simulator_sessions_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "vouchers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"kind" "voucher_kind" NOT NULL,
	"value" integer NOT NULL,
	"days" integer NOT NULL,
	"valid_from" timestamp with time zone,
	"valid_until" timestamp with time zone,
	"limit_total" integer,
	"limit_per_user" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "vouchers_code_unique" UNIQUE("code"),
	CONSTRAINT "voucher_in_range" CHECK ("vouchers"."value" > 0 and ("vouchers"."kind" <> 'percent_off' or "vouchers"."value" <= 100) and "vouchers"."days" > 0),
	CONSTRAINT "voucher_code_upper" CHECK ("vouchers"."code" = upper("vouchers"."code")),
	CONSTRAINT "voucher_uses_not_negative" CHECK ("vouchers"."uses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_account_proofs" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL,
	"balance" integer NOT NULL,
	"proven_at" timestamp with time zone NOT NULL
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
	"lengthens" uuid,
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
CREATE TABLE "welcomed_mailboxes" (
	"hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_edit_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"custom_edit_id" uuid NOT NULL,
	"role" "custom_edit_file_role" NOT NULL,
	"position" smallint NOT NULL,
	"storage_key" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_edit_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "custom_edit_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"custom_edit_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_edits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "custom_edit_status" DEFAULT 'new' NOT NULL,
	"title" text NOT NULL,
	"whatsapp" text NOT NULL,
	"email" text NOT NULL,
	"description" text NOT NULL,
	"generation_id" uuid,
	"designer_id" uuid,
	"reason" text,
	"idempotency_key" text NOT NULL,
	"content_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"overdue_notice_at" timestamp with time zone,
	CONSTRAINT "one_custom_edit_per_key" UNIQUE("user_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "generation_claims" (
	"generation_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"status" "claim_status" NOT NULL,
	"refunded" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" uuid
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
	"seconds" real DEFAULT 0 NOT NULL,
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
	"lane" text DEFAULT 'pictures' NOT NULL,
	"turn" smallint DEFAULT 0 NOT NULL,
	"provider" text DEFAULT 'local' NOT NULL,
	"fallback_from" text,
	"remote_jobs" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
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
CREATE TABLE "inspections" (
	"content_hash" text PRIMARY KEY NOT NULL,
	"inspection" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_settings" (
	"tool" text PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT 'local' NOT NULL,
	"mark_required" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passport_presets" (
	"version" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passport_presets_version_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"preset" jsonb NOT NULL,
	"position" smallint NOT NULL,
	"active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "upload_status" DEFAULT 'receiving' NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"content_type" text,
	"width" integer,
	"height" integer,
	"seconds" real,
	"sha256" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
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
	"template" text NOT NULL,
	"user_id" uuid NOT NULL,
	"subject_id" uuid,
	"recipient" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "expiry_reminders" ADD CONSTRAINT "expiry_reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_history" ADD CONSTRAINT "order_history_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_attempt_id_payment_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_account_proofs" ADD CONSTRAINT "credit_account_proofs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grant_moves" ADD CONSTRAINT "credit_grant_moves_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grant_moves" ADD CONSTRAINT "credit_grant_moves_grant_id_credit_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."credit_grants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_grants" ADD CONSTRAINT "credit_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edit_files" ADD CONSTRAINT "custom_edit_files_custom_edit_id_custom_edits_id_fk" FOREIGN KEY ("custom_edit_id") REFERENCES "public"."custom_edits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edit_notes" ADD CONSTRAINT "custom_edit_notes_custom_edit_id_custom_edits_id_fk" FOREIGN KEY ("custom_edit_id") REFERENCES "public"."custom_edits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD CONSTRAINT "custom_edits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_claims" ADD CONSTRAINT "generation_claims_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_claims" ADD CONSTRAINT "generation_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_files" ADD CONSTRAINT "generation_files_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_tokens_user_id_index" ON "account_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "consents_user_id_index" ON "consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "identities_user_id_index" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_index" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "due_passkey_removals" ON "passkeys" USING btree ("removal_due_at") WHERE "passkeys"."removal_due_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "due_totp_removals" ON "totp_secrets" USING btree ("removal_due_at") WHERE "totp_secrets"."removal_due_at" is not null;--> statement-breakpoint
CREATE INDEX "users_created_at_index" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_name_id_index" ON "users" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "users_by_words" ON "users" USING gin (to_tsvector('simple', translate("name" || ' ' || "email", '@._+-/', '      ')));--> statement-breakpoint
CREATE INDEX "staff" ON "users" USING btree ("role","id") WHERE "users"."role" <> 'user';--> statement-breakpoint
CREATE INDEX "unverified_users" ON "users" USING btree ("id") WHERE "users"."email_verified_at" is null;--> statement-breakpoint
CREATE INDEX "disabled_users" ON "users" USING btree ("id") WHERE "users"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX "daily_people_user_id_day_index" ON "daily_people" USING btree ("user_id","day");--> statement-breakpoint
CREATE INDEX "audit_log_subject_id_subject_kind_id_index" ON "audit_log" USING btree ("subject_id","subject_kind","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor_id_id_index" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_id_index" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_by_action" ON "audit_log" USING btree ("action" text_pattern_ops,"id");--> statement-breakpoint
CREATE INDEX "security_events_user_id_id_index" ON "security_events" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "security_events_kind_id_index" ON "security_events" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "security_events_created_at_index" ON "security_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "packages_id_version_index" ON "packages" USING btree ("id","version");--> statement-breakpoint
CREATE INDEX "open_differences" ON "billing_differences" USING btree ("check") WHERE "billing_differences"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "billing_differences_last_seen_at_index" ON "billing_differences" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "order_history_order_id_id_index" ON "order_history" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_user_id_id_index" ON "orders" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "open_orders" ON "orders" USING btree ("expires_at","id") WHERE "orders"."status" in (0, 1);--> statement-breakpoint
CREATE INDEX "open_orders_by_user" ON "orders" USING btree ("user_id") WHERE "orders"."status" in (0, 1);--> statement-breakpoint
CREATE INDEX "orders_paid_at_index" ON "orders" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "orders_status_id_index" ON "orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "orders_driver_id_index" ON "orders" USING btree ("driver","id");--> statement-breakpoint
CREATE INDEX "held_vouchers" ON "voucher_redemptions" USING btree ("voucher_id","user_id") WHERE "voucher_redemptions"."released_at" is null;--> statement-breakpoint
CREATE INDEX "payment_attempts_order_id_index" ON "payment_attempts" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_attempt_per_session" ON "payment_attempts" USING btree ("driver","session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_attempt_per_request" ON "payment_attempts" USING btree ("driver","request_id");--> statement-breakpoint
CREATE INDEX "attempts_to_read" ON "payment_attempts" USING btree ("read_at") WHERE "payment_attempts"."status" in ('creating', 'open');--> statement-breakpoint
CREATE UNIQUE INDEX "one_row_per_payment" ON "payments" USING btree ("driver","payment_id");--> statement-breakpoint
CREATE INDEX "payments_order_id_index" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "problem_payments" ON "payments" USING btree ("id") WHERE "payments"."problem" is not null and "payments"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "vouchers_by_code" ON "vouchers" USING btree ("code" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "moves_by_lot" ON "credit_grant_moves" USING btree ("grant_id","amount");--> statement-breakpoint
CREATE INDEX "open_grants" ON "credit_grants" USING btree ("user_id","expires_at") WHERE "credit_grants"."remaining" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "one_lengthening_per_lot" ON "credit_grants" USING btree ("lengthens");--> statement-breakpoint
CREATE INDEX "ledger_entries_user_id_id_index" ON "ledger_entries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "rare_entries" ON "ledger_entries" USING btree ("kind","id") WHERE "ledger_entries"."kind" <> 'generation';--> statement-breakpoint
CREATE INDEX "ledger_entries_created_at_id_index" ON "ledger_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "tool_prices_tool_id_index" ON "tool_prices" USING btree ("tool","id");--> statement-breakpoint
CREATE INDEX "custom_edit_files_custom_edit_id_role_position_index" ON "custom_edit_files" USING btree ("custom_edit_id","role","position");--> statement-breakpoint
CREATE INDEX "custom_edit_notes_custom_edit_id_id_index" ON "custom_edit_notes" USING btree ("custom_edit_id","id");--> statement-breakpoint
CREATE INDEX "custom_edits_user_id_id_index" ON "custom_edits" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "open_custom_edits" ON "custom_edits" USING btree ("due_at") WHERE "custom_edits"."status" in ('new', 'in_progress');--> statement-breakpoint
CREATE INDEX "custom_edits_status_id_index" ON "custom_edits" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "custom_edits_designer_id_status_id_index" ON "custom_edits" USING btree ("designer_id","status","id");--> statement-breakpoint
CREATE INDEX "custom_edits_by_words" ON "custom_edits" USING gin (to_tsvector('simple', translate("title" || ' ' || "email", '@._+-/', '      ')));--> statement-breakpoint
CREATE INDEX "generation_claims_user_id_created_at_index" ON "generation_claims" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "waiting_claims" ON "generation_claims" USING btree ("created_at") WHERE "generation_claims"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "generation_files_generation_id_index" ON "generation_files" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "generations_user_id_id_index" ON "generations" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "generations_user_id_change_index" ON "generations" USING btree ("user_id","change");--> statement-breakpoint
CREATE INDEX "generations_by_time" ON "generations" USING btree ("created_at","status","tool","user_id");--> statement-breakpoint
CREATE INDEX "failed_generations" ON "generations" USING btree ("tool","id") WHERE "generations"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "open_generations" ON "generations" USING btree ("id") WHERE "generations"."status" in ('queued', 'detecting', 'generating');--> statement-breakpoint
CREATE INDEX "inspections_created_at_index" ON "inspections" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "passport_presets_id_version_index" ON "passport_presets" USING btree ("id","version");--> statement-breakpoint
CREATE INDEX "uploads_user_id_expires_at_index" ON "uploads" USING btree ("user_id","expires_at");--> statement-breakpoint
CREATE INDEX "uploads_expires_at_index" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mail_outbox_user_id_index" ON "mail_outbox" USING btree ("user_id");
--> statement-breakpoint
-- The ledger is the books: whatever the code does, entries are never edited or deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON "ledger_entries" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON "ledger_entries" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Whatever the code does, an entry is never edited or deleted; only the reason, which people wrote, can be taken away.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.reason IS NULL THEN
    OLD.reason := NULL;
    IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_history_append_only BEFORE UPDATE OR DELETE ON "order_history" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
INSERT INTO "receipt_counter" ("id", "last") VALUES (1, 0);
--> statement-breakpoint
INSERT INTO "packages" ("id", "name", "cents", "credits", "days", "position", "created_at") VALUES
	('starter', 'STARTER', 1000, 499, 30, 1, now()),
	('basic', 'BASIC', 2500, 1499, 30, 2, now()),
	('premium', 'PREMIUM', 5000, NULL, 30, 3, now());
