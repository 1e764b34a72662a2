ALTER TYPE "public"."account_token_purpose" ADD VALUE 'guardian_consent';--> statement-breakpoint
ALTER TYPE "public"."account_token_purpose" ADD VALUE 'guardian_revocation';--> statement-breakpoint
CREATE TABLE "guardian_consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"guardian_email" text,
	"created_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone NOT NULL,
	"reminded_at" timestamp with time zone,
	"given_at" timestamp with time zone,
	"version" text,
	"given_from" text
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "birth_year" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "birth_year_due_at" timestamp with time zone DEFAULT now() + interval '14 days' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "closing" text;--> statement-breakpoint
ALTER TABLE "guardian_consents" ADD CONSTRAINT "guardian_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guardian_consents_user_id_index" ON "guardian_consents" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_guardian_consent" ON "guardian_consents" USING btree ("user_id") WHERE "guardian_consents"."given_at" is null;--> statement-breakpoint
CREATE INDEX "open_guardian_consents" ON "guardian_consents" USING btree ("waiting_since") WHERE "guardian_consents"."given_at" is null;--> statement-breakpoint
CREATE INDEX "closing_users" ON "users" USING btree ("id") WHERE "users"."closing" is not null and "users"."deleted_at" is null;