ALTER TYPE "public"."generation_file_role" ADD VALUE 'earlier';--> statement-breakpoint
ALTER TYPE "public"."generation_file_role" ADD VALUE 'link_picture';--> statement-breakpoint
CREATE TABLE "renderings" (
	"generation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"params" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	CONSTRAINT "renderings_generation_id_position_pk" PRIMARY KEY("generation_id","position")
);
--> statement-breakpoint
CREATE TABLE "logos" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"picture" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "rendering" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "newest_rendering" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "renderings" ADD CONSTRAINT "renderings_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;