CREATE TYPE "public"."gateway_refund_status" AS ENUM('sending', 'sent', 'failed');--> statement-breakpoint
CREATE TYPE "public"."report_category" AS ENUM('minor', 'sexual', 'without_consent', 'deception', 'hate', 'other');--> statement-breakpoint
CREATE TYPE "public"."report_status" AS ENUM('waiting', 'kept', 'withdrawn', 'limited');--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"year" smallint PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"idempotency_key" text NOT NULL,
	"amount_idr" integer NOT NULL,
	"reason" text NOT NULL,
	"take_credits" boolean NOT NULL,
	"status" "gateway_refund_status" NOT NULL,
	"refund_id" text,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gateway_refund_is_money" CHECK ("gateway_refunds"."amount_idr" > 0)
);
--> statement-breakpoint
CREATE TABLE "content_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"generation_id" uuid NOT NULL,
	"reporter_id" uuid,
	"position" smallint NOT NULL,
	"category" "report_category" NOT NULL,
	"note" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reported_results" (
	"generation_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "report_status" DEFAULT 'waiting' NOT NULL,
	"answer" text,
	"created_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" uuid
);
--> statement-breakpoint
CREATE TABLE "locations" (
	"version" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "locations_version_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"record" jsonb NOT NULL,
	"kind" text NOT NULL,
	"exposure" real NOT NULL,
	"file_key" text NOT NULL,
	"sample_key" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"active" boolean NOT NULL,
	"removed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "withdrawn_results" (
	"generation_id" uuid PRIMARY KEY NOT NULL,
	"withdrawn_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"event" text NOT NULL,
	"subject_id" uuid,
	"state" text DEFAULT 'pending' NOT NULL,
	"status" smallint,
	"error" text,
	"last_attempt_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp with time zone,
	"disabled" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"scopes" text[] NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"daily_credits" integer,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "account_limits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "content_refusals" (
	"user_id" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"kind" text NOT NULL,
	"tool" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "content_refusals_user_id_content_hash_pk" PRIMARY KEY("user_id","content_hash")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ppn_percent" smallint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ppn_idr" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_buyer" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_year" smallint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_number" integer;--> statement-breakpoint
ALTER TABLE "order_refunds" ADD COLUMN "ppn_idr" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "api_key_id" uuid;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "engine_version" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway_refunds" ADD CONSTRAINT "gateway_refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_reports" ADD CONSTRAINT "content_reports_generation_id_reported_results_generation_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."reported_results"("generation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_reports" ADD CONSTRAINT "content_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_results" ADD CONSTRAINT "reported_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_results" ADD CONSTRAINT "reported_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawn_results" ADD CONSTRAINT "withdrawn_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_limits" ADD CONSTRAINT "account_limits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_refusals" ADD CONSTRAINT "content_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_gateway_refund_per_key" ON "gateway_refunds" USING btree ("order_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "gateway_refunds_to_read" ON "gateway_refunds" USING btree ("read_at") WHERE "gateway_refunds"."status" = 'sending';--> statement-breakpoint
CREATE INDEX "content_reports_generation_id_id_index" ON "content_reports" USING btree ("generation_id","id");--> statement-breakpoint
CREATE INDEX "content_reports_reporter_id_index" ON "content_reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "content_reports_created_at_index" ON "content_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reported_results_user_id_index" ON "reported_results" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reported_results_status_created_at_generation_id_index" ON "reported_results" USING btree ("status","created_at","generation_id");--> statement-breakpoint
CREATE INDEX "locations_id_version_index" ON "locations" USING btree ("id","version");--> statement-breakpoint
CREATE INDEX "pending_webhook_deliveries" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_id_index" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created_at_index" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_user_id_index" ON "webhook_endpoints" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "api_keys_user_id_index" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_limits_user_id_index" ON "account_limits" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "running_account_limits" ON "account_limits" USING btree ("until") WHERE "account_limits"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "content_refusals_created_at_index" ON "content_refusals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "refusals_of_user" ON "content_refusals" USING btree ("user_id","created_at");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_method_id_index" ON "orders" USING btree ("method","id");--> statement-breakpoint
CREATE INDEX "generations_of_key" ON "generations" USING btree ("api_key_id","created_at") WHERE "generations"."api_key_id" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "one_order_per_invoice" UNIQUE("invoice_year","invoice_number");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "ppn_in_total" CHECK ("orders"."ppn_idr" between 0 and "orders"."total_idr" and ("orders"."ppn_percent" is not null or "orders"."ppn_idr" = 0));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "invoice_is_complete" CHECK (("orders"."invoice_year" is null) = ("orders"."invoice_number" is null)
        and ("orders"."invoice_year" is null or "orders"."status" = 2));