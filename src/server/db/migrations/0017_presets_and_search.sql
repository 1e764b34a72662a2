CREATE TABLE "passport_presets" (
	"version" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passport_presets_version_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"preset" jsonb NOT NULL,
	"position" smallint NOT NULL,
	"active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
DROP INDEX "audit_log_subject_kind_subject_id_id_index";--> statement-breakpoint
ALTER TABLE "vouchers" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD COLUMN "overdue_notice_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "passport_presets_id_version_index" ON "passport_presets" USING btree ("id","version");--> statement-breakpoint
CREATE INDEX "users_by_words" ON "users" USING gin (to_tsvector('simple', translate("name" || ' ' || "email", '@._+-/', '      ')));--> statement-breakpoint
CREATE INDEX "staff" ON "users" USING btree ("role","id") WHERE "users"."role" <> 'user';--> statement-breakpoint
CREATE INDEX "unverified_users" ON "users" USING btree ("id") WHERE "users"."email_verified_at" is null;--> statement-breakpoint
CREATE INDEX "disabled_users" ON "users" USING btree ("id") WHERE "users"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_subject_id_subject_kind_id_index" ON "audit_log" USING btree ("subject_id","subject_kind","id");--> statement-breakpoint
CREATE INDEX "audit_by_action" ON "audit_log" USING btree ("action" text_pattern_ops,"id");--> statement-breakpoint
CREATE INDEX "orders_status_id_index" ON "orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "orders_driver_id_index" ON "orders" USING btree ("driver","id");--> statement-breakpoint
CREATE INDEX "vouchers_by_code" ON "vouchers" USING btree ("code" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "custom_edits_designer_id_status_id_index" ON "custom_edits" USING btree ("designer_id","status","id");--> statement-breakpoint
CREATE INDEX "custom_edits_by_words" ON "custom_edits" USING gin (to_tsvector('simple', translate("title" || ' ' || "email", '@._+-/', '      ')));