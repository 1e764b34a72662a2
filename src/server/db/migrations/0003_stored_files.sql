ALTER TABLE "file_references" RENAME TO "stored_files";--> statement-breakpoint
ALTER TABLE "stored_files" RENAME CONSTRAINT "file_references_user_id_users_id_fk" TO "stored_files_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "file_references_pkey" RENAME TO "stored_files_pkey";--> statement-breakpoint
ALTER INDEX "file_references_user_id_index" RENAME TO "stored_files_user_id_index";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_proof_key_file_references_storage_key_fk" TO "orders_proof_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "custom_edit_files" RENAME CONSTRAINT "custom_edit_files_storage_key_file_references_storage_key_fk" TO "custom_edit_files_storage_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "generation_files" RENAME CONSTRAINT "generation_files_storage_key_file_references_storage_key_fk" TO "generation_files_storage_key_stored_files_storage_key_fk";--> statement-breakpoint
ALTER TABLE "stored_files" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_files" ADD COLUMN "delete_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "files_to_delete" ON "stored_files" USING btree ("delete_at") WHERE "stored_files"."delete_at" is not null;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "parts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
INSERT INTO "stored_files" ("storage_key", "bytes", "created_at", "delete_at")
	SELECT 'uploads/' || "id" || '/', 0, "created_at", "expires_at" FROM "uploads";--> statement-breakpoint
UPDATE "uploads" SET "parts" = jsonb_build_array(jsonb_build_object('name', 'received', 'bytes', "received"))
	WHERE "status" = 'receiving' AND "received" > 0;
