ALTER TYPE "public"."account_token_purpose" ADD VALUE 'registered';--> statement-breakpoint
CREATE TABLE "error_reports" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"part" text NOT NULL,
	"version" text NOT NULL,
	"message" text NOT NULL,
	"place" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"public_url" text NOT NULL,
	"version" text NOT NULL,
	"engine_threads" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_state" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_tokens" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "awaited_check" text;--> statement-breakpoint
CREATE INDEX "error_reports_last_at_index" ON "error_reports" USING btree ("last_at");