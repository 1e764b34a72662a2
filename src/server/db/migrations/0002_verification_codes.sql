ALTER TYPE "public"."account_token_purpose" ADD VALUE 'registered';--> statement-breakpoint
ALTER TABLE "account_tokens" ADD COLUMN "code_hash" text;