CREATE TABLE "invoice_counters" (
	"year" smallint PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ppn_percent" smallint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ppn_idr" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_buyer" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_year" smallint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "invoice_number" integer;--> statement-breakpoint
ALTER TABLE "order_refunds" ADD COLUMN "ppn_idr" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_method_id_index" ON "orders" USING btree ("method","id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "one_order_per_invoice" UNIQUE("invoice_year","invoice_number");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "ppn_in_total" CHECK ("orders"."ppn_idr" between 0 and "orders"."total_idr" and ("orders"."ppn_percent" is not null or "orders"."ppn_idr" = 0));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "invoice_is_complete" CHECK (("orders"."invoice_year" is null) = ("orders"."invoice_number" is null)
        and ("orders"."invoice_year" is null or "orders"."status" = 2));