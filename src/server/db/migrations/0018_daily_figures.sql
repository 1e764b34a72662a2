CREATE TABLE "daily_figures" (
	"day" date PRIMARY KEY NOT NULL,
	"revenue_idr" bigint NOT NULL,
	"orders" integer NOT NULL,
	"new_users" integer NOT NULL,
	"active_users" integer NOT NULL,
	"credits_sold" bigint NOT NULL,
	"credits_spent" bigint NOT NULL,
	"credits_expired" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_people" (
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "daily_people_day_user_id_pk" PRIMARY KEY("day","user_id")
);
--> statement-breakpoint
CREATE TABLE "daily_runs" (
	"day" date NOT NULL,
	"tool" text NOT NULL,
	"outcome" smallint NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "daily_runs_day_tool_outcome_pk" PRIMARY KEY("day","tool","outcome")
);
--> statement-breakpoint
CREATE TABLE "people_counts" (
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "people_counts_from_day_to_day_pk" PRIMARY KEY("from_day","to_day")
);
--> statement-breakpoint
CREATE INDEX "daily_people_user_id_day_index" ON "daily_people" USING btree ("user_id","day");