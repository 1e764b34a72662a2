CREATE TABLE "shared_results" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"generation_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"with_original" boolean NOT NULL,
	"password_hash" text,
	"openings" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "shared_results" ADD CONSTRAINT "shared_results_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_results" ADD CONSTRAINT "shared_results_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shared_results_user_id_index" ON "shared_results" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "shared_results_generation_id_index" ON "shared_results" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "shared_results_expires_at_index" ON "shared_results" USING btree ("expires_at");