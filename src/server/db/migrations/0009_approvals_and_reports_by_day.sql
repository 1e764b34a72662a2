CREATE TYPE "public"."approval_kind" AS ENUM('credit_adjustment', 'order_confirmation', 'voucher_creation', 'voucher_change');--> statement-breakpoint
CREATE TYPE "public"."approval_status" AS ENUM('waiting', 'approved', 'refused', 'expired');--> statement-breakpoint
CREATE TYPE "public"."approval_unit" AS ENUM('credits', 'idr');--> statement-breakpoint
CREATE TABLE "daily_funnel" (
	"day" date NOT NULL,
	"joined" date NOT NULL,
	"registered" integer NOT NULL,
	"started" integer NOT NULL,
	"paid" integer NOT NULL,
	CONSTRAINT "daily_funnel_joined_day_pk" PRIMARY KEY("joined","day")
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" "approval_kind" NOT NULL,
	"status" "approval_status" DEFAULT 'waiting' NOT NULL,
	"unit" "approval_unit" NOT NULL,
	"amount" bigint,
	"user_id" uuid,
	"subject" text NOT NULL,
	"key" text,
	"request" jsonb NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"answer" text,
	CONSTRAINT "one_approval_per_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "daily_revenue" (
	"day" date NOT NULL,
	"method" text NOT NULL,
	"package" text NOT NULL,
	"voucher" text NOT NULL,
	"orders" integer NOT NULL,
	"charged_idr" bigint NOT NULL,
	"received_idr" bigint NOT NULL,
	"refunds" integer NOT NULL,
	"refunded_idr" bigint NOT NULL,
	CONSTRAINT "daily_revenue_day_method_package_voucher_pk" PRIMARY KEY("day","method","package","voucher")
);
--> statement-breakpoint
ALTER TABLE "credit_grants" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_status_id_index" ON "approvals" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "approvals_user_id_index" ON "approvals" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_waiting_approval" ON "approvals" USING btree ("kind","subject") WHERE "approvals"."status" = 'waiting' and "approvals"."key" is null;--> statement-breakpoint
CREATE INDEX "security_events_user_id_created_at_index" ON "security_events" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "account_readings" ON "security_events" USING btree ("detail") WHERE "security_events"."kind" = 'account_read';--> statement-breakpoint
CREATE INDEX "money_outside" ON "payments" USING btree ("received_at") WHERE "payments"."problem" is not null;--> statement-breakpoint
-- The order of each lot that was bought: that of the first entry that added to it.
UPDATE "credit_grants" SET "order_id" = "ledger_entries"."subject_id"
FROM (
	SELECT "grant_id", min("entry_id") AS "entry_id" FROM "credit_grant_moves" WHERE "amount" > 0 GROUP BY 1
) "origins" JOIN "ledger_entries" ON "ledger_entries"."id" = "origins"."entry_id"
WHERE "credit_grants"."id" = "origins"."grant_id" AND "ledger_entries"."kind" IN ('purchase', 'voucher');--> statement-breakpoint
-- Finished days are counted again, with their revenue and the first steps of their users.
DELETE FROM "daily_figures";
