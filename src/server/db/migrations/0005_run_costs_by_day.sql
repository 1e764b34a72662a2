CREATE TABLE "daily_run_costs" (
	"day" date NOT NULL,
	"tool" text NOT NULL,
	"provider" text NOT NULL,
	"runs" integer NOT NULL,
	"untold" integer NOT NULL,
	"usd" double precision NOT NULL,
	"credits" bigint NOT NULL,
	"earned_idr" double precision NOT NULL,
	CONSTRAINT "daily_run_costs_day_tool_provider_pk" PRIMARY KEY("day","tool","provider")
);
--> statement-breakpoint
-- Days that are over are counted anew, with what their runs cost.
DELETE FROM "daily_figures";
