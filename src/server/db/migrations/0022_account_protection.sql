ALTER TYPE "public"."account_token_purpose" ADD VALUE 'first_factor';--> statement-breakpoint
ALTER TYPE "public"."account_token_purpose" ADD VALUE 'keep_factors';--> statement-breakpoint
CREATE TABLE "welcomed_mailboxes" (
	"hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "removal_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "may_enrol_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD COLUMN "wrong_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD COLUMN "removal_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "proof_bytes" integer;--> statement-breakpoint
CREATE INDEX "due_passkey_removals" ON "passkeys" USING btree ("removal_due_at") WHERE "passkeys"."removal_due_at" is not null;--> statement-breakpoint
CREATE INDEX "due_totp_removals" ON "totp_secrets" USING btree ("removal_due_at") WHERE "totp_secrets"."removal_due_at" is not null;