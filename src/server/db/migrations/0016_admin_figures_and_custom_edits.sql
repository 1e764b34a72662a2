CREATE TYPE "public"."custom_edit_file_role" AS ENUM('attachment', 'result');--> statement-breakpoint
CREATE TYPE "public"."custom_edit_status" AS ENUM('new', 'in_progress', 'done', 'declined');--> statement-breakpoint
CREATE TABLE "custom_edit_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"custom_edit_id" uuid NOT NULL,
	"role" "custom_edit_file_role" NOT NULL,
	"position" smallint NOT NULL,
	"storage_key" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_edit_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "custom_edit_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"custom_edit_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_edits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "custom_edit_status" DEFAULT 'new' NOT NULL,
	"title" text NOT NULL,
	"whatsapp" text NOT NULL,
	"email" text NOT NULL,
	"description" text NOT NULL,
	"generation_id" uuid,
	"designer_id" uuid,
	"reason" text,
	"idempotency_key" text NOT NULL,
	"content_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "one_custom_edit_per_key" UNIQUE("user_id","idempotency_key")
);
--> statement-breakpoint
ALTER TABLE "custom_edit_files" ADD CONSTRAINT "custom_edit_files_custom_edit_id_custom_edits_id_fk" FOREIGN KEY ("custom_edit_id") REFERENCES "public"."custom_edits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edit_notes" ADD CONSTRAINT "custom_edit_notes_custom_edit_id_custom_edits_id_fk" FOREIGN KEY ("custom_edit_id") REFERENCES "public"."custom_edits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD CONSTRAINT "custom_edits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "custom_edit_files_custom_edit_id_role_position_index" ON "custom_edit_files" USING btree ("custom_edit_id","role","position");--> statement-breakpoint
CREATE INDEX "custom_edit_notes_custom_edit_id_id_index" ON "custom_edit_notes" USING btree ("custom_edit_id","id");--> statement-breakpoint
CREATE INDEX "custom_edits_user_id_id_index" ON "custom_edits" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "open_custom_edits" ON "custom_edits" USING btree ("due_at") WHERE "custom_edits"."status" in ('new', 'in_progress');--> statement-breakpoint
CREATE INDEX "custom_edits_status_id_index" ON "custom_edits" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "users_created_at_index" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_name_id_index" ON "users" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "waiting_claims" ON "generation_claims" USING btree ("created_at") WHERE "generation_claims"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "generations_by_time" ON "generations" USING btree ("created_at","status","tool","user_id");--> statement-breakpoint
CREATE INDEX "failed_generations" ON "generations" USING btree ("tool","id") WHERE "generations"."status" = 'failed';