INSERT INTO "audit_log" ("actor_id", "action", "subject_kind", "subject_id", "before", "after", "reason", "created_at")
SELECT "admin_id", 'account.status_changed', 'account', "user_id"::text, "before", "after", "reason", "created_at"
FROM "standing_changes" ORDER BY "id";
--> statement-breakpoint
DROP TABLE "standing_changes" CASCADE;