ALTER TABLE "generations" RENAME COLUMN "lane" TO "queue";--> statement-breakpoint
ALTER TABLE "generations" ALTER COLUMN "queue" SET DEFAULT 'run-generation';--> statement-breakpoint
UPDATE "generations" SET "queue" = CASE "queue" WHEN 'video' THEN 'run-video' WHEN 'remote' THEN 'run-remote' ELSE 'run-generation' END;
