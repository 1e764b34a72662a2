CREATE TYPE "public"."payment_attempt_status" AS ENUM('creating', 'open', 'failed', 'paid', 'expired', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."order_actor" AS ENUM('buyer', 'gateway', 'admin', 'system');--> statement-breakpoint
CREATE TYPE "public"."payment_driver" AS ENUM('simulator', 'manual', 'xendit');--> statement-breakpoint
CREATE TYPE "public"."payment_problem" AS ENUM('wrong_amount', 'wrong_currency', 'paid_again');--> statement-breakpoint
CREATE TYPE "public"."simulator_status" AS ENUM('ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED');--> statement-breakpoint
CREATE TYPE "public"."voucher_kind" AS ENUM('free_credits', 'percent_off', 'amount_off');--> statement-breakpoint
CREATE TYPE "public"."claim_status" AS ENUM('refunded', 'waiting', 'declined');--> statement-breakpoint
ALTER TYPE "public"."mail_template" ADD VALUE 'receipt';--> statement-breakpoint
ALTER TYPE "public"."mail_template" ADD VALUE 'credits_expiring';--> statement-breakpoint
CREATE TABLE "billing_differences" (
	"key" text PRIMARY KEY NOT NULL,
	"check" text NOT NULL,
	"what" text NOT NULL,
	"subject_id" text NOT NULL,
	"expected" text NOT NULL,
	"found" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
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
	"proof_key" text,
	"proof_type" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"receipt" integer,
	CONSTRAINT "orders_receipt_unique" UNIQUE("receipt"),
	CONSTRAINT "one_order_per_key" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "order_status_known" CHECK ("orders"."status" between 0 and 3),
	CONSTRAINT "paid_is_complete" CHECK (("orders"."status" = 2) = ("orders"."paid_at" is not null and "orders"."receipt" is not null)),
	CONSTRAINT "order_adds_up" CHECK ("orders"."total_idr" = "orders"."subtotal_idr" - "orders"."discount_idr" and "orders"."total_idr" >= 0)
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
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"id" smallint PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
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
CREATE TABLE "voucher_redemptions" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"voucher_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"released_at" timestamp with time zone
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
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "vouchers_code_unique" UNIQUE("code"),
	CONSTRAINT "voucher_in_range" CHECK ("vouchers"."value" > 0 and ("vouchers"."kind" <> 'percent_off' or "vouchers"."value" <= 100) and "vouchers"."days" > 0),
	CONSTRAINT "voucher_code_upper" CHECK ("vouchers"."code" = upper("vouchers"."code"))
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
ALTER TABLE "mail_outbox" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "expiry_reminders" ADD CONSTRAINT "expiry_reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_history" ADD CONSTRAINT "order_history_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_attempt_id_payment_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."payment_attempts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_redemptions" ADD CONSTRAINT "voucher_redemptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_claims" ADD CONSTRAINT "generation_claims_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_claims" ADD CONSTRAINT "generation_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_differences" ON "billing_differences" USING btree ("check") WHERE "billing_differences"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "order_history_order_id_id_index" ON "order_history" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_user_id_id_index" ON "orders" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "open_orders" ON "orders" USING btree ("expires_at") WHERE "orders"."status" in (0, 1);--> statement-breakpoint
CREATE INDEX "orders_paid_at_index" ON "orders" USING btree ("paid_at");--> statement-breakpoint
CREATE INDEX "packages_id_version_index" ON "packages" USING btree ("id","version");--> statement-breakpoint
CREATE INDEX "payment_attempts_order_id_index" ON "payment_attempts" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_attempt_per_session" ON "payment_attempts" USING btree ("driver","session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_attempt_per_request" ON "payment_attempts" USING btree ("driver","request_id");--> statement-breakpoint
CREATE INDEX "attempts_to_read" ON "payment_attempts" USING btree ("read_at") WHERE "payment_attempts"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "one_row_per_payment" ON "payments" USING btree ("driver","payment_id");--> statement-breakpoint
CREATE INDEX "payments_order_id_index" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "held_vouchers" ON "voucher_redemptions" USING btree ("voucher_id","user_id") WHERE "voucher_redemptions"."released_at" is null;--> statement-breakpoint
CREATE INDEX "generation_claims_user_id_created_at_index" ON "generation_claims" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE TRIGGER order_history_append_only BEFORE UPDATE OR DELETE ON "order_history" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
INSERT INTO "receipt_counter" ("id", "last") VALUES (1, 0);
--> statement-breakpoint
INSERT INTO "packages" ("id", "name", "cents", "credits", "days", "position", "created_at") VALUES
	('starter', 'STARTER', 1000, 499, 30, 1, now()),
	('basic', 'BASIC', 2500, 1499, 30, 2, now()),
	('premium', 'PREMIUM', 5000, NULL, 30, 3, now());
