CREATE TABLE "error_report_networks" (
	"fingerprint" text NOT NULL,
	"network" text NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "error_report_networks_fingerprint_network_pk" PRIMARY KEY("fingerprint","network")
);
--> statement-breakpoint
DROP INDEX "push_outbox_created_at_index";--> statement-breakpoint
ALTER TABLE "credit_accounts" ADD COLUMN "welcome_refused" text;--> statement-breakpoint
ALTER TABLE "welcomed_mailboxes" ADD COLUMN "domain" text;--> statement-breakpoint
ALTER TABLE "push_outbox" ADD COLUMN "attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "push_outbox" ADD COLUMN "next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "error_report_networks" ADD CONSTRAINT "error_report_networks_fingerprint_error_reports_fingerprint_fk" FOREIGN KEY ("fingerprint") REFERENCES "public"."error_reports"("fingerprint") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "error_report_networks_network_last_at_index" ON "error_report_networks" USING btree ("network","last_at");--> statement-breakpoint
CREATE INDEX "welcomes_by_domain" ON "welcomed_mailboxes" USING btree ("domain","created_at") WHERE "welcomed_mailboxes"."domain" is not null;--> statement-breakpoint
CREATE INDEX "push_outbox_next_attempt_at_index" ON "push_outbox" USING btree ("next_attempt_at");