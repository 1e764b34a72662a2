ALTER TYPE "public"."payment_problem" ADD VALUE 'account_deleted';--> statement-breakpoint
CREATE TABLE "billing_checks" (
	"check" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error" text,
	"position" jsonb
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
CREATE TABLE "credit_account_proofs" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL,
	"balance" integer NOT NULL,
	"proven_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "open_orders";--> statement-breakpoint
DROP INDEX "attempts_to_read";--> statement-breakpoint
ALTER TABLE "billing_differences" ADD COLUMN "user_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_differences" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "mobile_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "receipt_parties" jsonb;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "request" jsonb;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "closing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "vouchers" ADD COLUMN "uses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_grants" ADD COLUMN "lengthens" uuid;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_account_proofs" ADD CONSTRAINT "credit_account_proofs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_differences_last_seen_at_index" ON "billing_differences" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "open_orders_by_user" ON "orders" USING btree ("user_id") WHERE "orders"."status" in (0, 1);--> statement-breakpoint
CREATE INDEX "problem_payments" ON "payments" USING btree ("id") WHERE "payments"."problem" is not null and "payments"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "credit_grant_moves_grant_id_index" ON "credit_grant_moves" USING btree ("grant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_lengthening_per_lot" ON "credit_grants" USING btree ("lengthens");--> statement-breakpoint
CREATE INDEX "rare_entries" ON "ledger_entries" USING btree ("kind","id") WHERE "ledger_entries"."kind" <> 'generation';--> statement-breakpoint
CREATE INDEX "entries_by_time" ON "ledger_entries" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "open_orders" ON "orders" USING btree ("expires_at","id") WHERE "orders"."status" in (0, 1);--> statement-breakpoint
CREATE INDEX "attempts_to_read" ON "payment_attempts" USING btree ("read_at") WHERE "payment_attempts"."status" in ('creating', 'open');--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "voucher_uses_not_negative" CHECK ("vouchers"."uses" >= 0);--> statement-breakpoint
-- Uses were counted by their rows until now.
UPDATE "vouchers" v SET "uses" = (SELECT count(*) FROM "voucher_redemptions" r WHERE r."voucher_id" = v."id" AND r."released_at" IS NULL);
