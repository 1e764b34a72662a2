CREATE TABLE "assignments" (
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"assignee_id" uuid NOT NULL,
	"assigned_by" uuid NOT NULL,
	"assigned_at" timestamp with time zone NOT NULL,
	CONSTRAINT "assignments_kind_subject_id_pk" PRIMARY KEY("kind","subject_id")
);
--> statement-breakpoint
ALTER TABLE "custom_edits" ADD COLUMN "stars" smallint;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD COLUMN "rating_comment" text;--> statement-breakpoint
ALTER TABLE "custom_edits" ADD COLUMN "rated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assignments_assignee_id_kind_index" ON "assignments" USING btree ("assignee_id","kind");