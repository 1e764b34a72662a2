CREATE TYPE "public"."report_category" AS ENUM('minor', 'sexual', 'without_consent', 'deception', 'hate', 'other');--> statement-breakpoint
CREATE TYPE "public"."report_status" AS ENUM('waiting', 'kept', 'withdrawn', 'limited');--> statement-breakpoint
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
CREATE TABLE "withdrawn_results" (
	"generation_id" uuid PRIMARY KEY NOT NULL,
	"withdrawn_at" timestamp with time zone NOT NULL
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
ALTER TABLE "content_reports" ADD CONSTRAINT "content_reports_generation_id_reported_results_generation_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."reported_results"("generation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_reports" ADD CONSTRAINT "content_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_results" ADD CONSTRAINT "reported_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_results" ADD CONSTRAINT "reported_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawn_results" ADD CONSTRAINT "withdrawn_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_limits" ADD CONSTRAINT "account_limits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_refusals" ADD CONSTRAINT "content_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_reports_generation_id_id_index" ON "content_reports" USING btree ("generation_id","id");--> statement-breakpoint
CREATE INDEX "content_reports_reporter_id_index" ON "content_reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "content_reports_created_at_index" ON "content_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reported_results_user_id_index" ON "reported_results" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reported_results_status_created_at_generation_id_index" ON "reported_results" USING btree ("status","created_at","generation_id");--> statement-breakpoint
CREATE INDEX "account_limits_user_id_index" ON "account_limits" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "running_account_limits" ON "account_limits" USING btree ("until") WHERE "account_limits"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "content_refusals_created_at_index" ON "content_refusals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "refusals_of_user" ON "content_refusals" USING btree ("user_id","created_at");