ALTER TABLE "generation_files" ALTER COLUMN "role" SET DATA TYPE text;--> statement-breakpoint
UPDATE "generation_files" SET "label" = 'picture' WHERE "role" = 'input' AND "label" = '';--> statement-breakpoint
UPDATE "generation_files" SET "role" = 'input' WHERE "role" = 'extra';--> statement-breakpoint
DROP TYPE "public"."generation_file_role";--> statement-breakpoint
CREATE TYPE "public"."generation_file_role" AS ENUM('input', 'kept', 'output', 'thumbnail');--> statement-breakpoint
ALTER TABLE "generation_files" ALTER COLUMN "role" SET DATA TYPE "public"."generation_file_role" USING "role"::"public"."generation_file_role";--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "facts" jsonb DEFAULT '{}'::jsonb NOT NULL;