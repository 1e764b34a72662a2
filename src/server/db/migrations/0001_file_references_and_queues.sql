CREATE TABLE "file_references" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "file_references" ADD CONSTRAINT "file_references_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_references_user_id_index" ON "file_references" USING btree ("user_id");--> statement-breakpoint
INSERT INTO "file_references" ("storage_key", "user_id", "bytes", "created_at")
	SELECT f."storage_key", g."user_id", f."bytes", f."created_at" FROM "generation_files" f JOIN "generations" g ON g."id" = f."generation_id"
	UNION ALL SELECT f."storage_key", e."user_id", f."bytes", f."created_at" FROM "custom_edit_files" f JOIN "custom_edits" e ON e."id" = f."custom_edit_id"
	UNION ALL SELECT "proof_key", "user_id", coalesce("proof_bytes", 0), "created_at" FROM "orders" WHERE "proof_key" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_proof_key_file_references_storage_key_fk" FOREIGN KEY ("proof_key") REFERENCES "public"."file_references"("storage_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_edit_files" ADD CONSTRAINT "custom_edit_files_storage_key_file_references_storage_key_fk" FOREIGN KEY ("storage_key") REFERENCES "public"."file_references"("storage_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generation_files" ADD CONSTRAINT "generation_files_storage_key_file_references_storage_key_fk" FOREIGN KEY ("storage_key") REFERENCES "public"."file_references"("storage_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_with_proof" ON "orders" USING btree ("proof_key") WHERE "orders"."proof_key" is not null;--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "proof_bytes";--> statement-breakpoint
ALTER TABLE "custom_edit_files" ADD CONSTRAINT "custom_edit_files_storageKey_unique" UNIQUE("storage_key");--> statement-breakpoint
ALTER TABLE "generation_files" ADD CONSTRAINT "generation_files_storageKey_unique" UNIQUE("storage_key");--> statement-breakpoint
ALTER TABLE "mail_outbox" DROP CONSTRAINT "mail_outbox_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "generations" RENAME COLUMN "lane" TO "queue";--> statement-breakpoint
ALTER TABLE "generations" ALTER COLUMN "queue" SET DEFAULT 'run-generation';--> statement-breakpoint
UPDATE "generations" SET "queue" = CASE "queue" WHEN 'video' THEN 'run-video' WHEN 'remote' THEN 'run-remote' ELSE 'run-generation' END;
