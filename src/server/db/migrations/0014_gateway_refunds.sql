CREATE TYPE "public"."gateway_refund_status" AS ENUM('sending', 'sent', 'failed');--> statement-breakpoint
CREATE TABLE "gateway_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"idempotency_key" text NOT NULL,
	"amount_idr" integer NOT NULL,
	"reason" text NOT NULL,
	"take_credits" boolean NOT NULL,
	"status" "gateway_refund_status" NOT NULL,
	"refund_id" text,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gateway_refund_is_money" CHECK ("gateway_refunds"."amount_idr" > 0)
);
--> statement-breakpoint
ALTER TABLE "gateway_refunds" ADD CONSTRAINT "gateway_refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_gateway_refund_per_key" ON "gateway_refunds" USING btree ("order_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "gateway_refunds_to_read" ON "gateway_refunds" USING btree ("read_at") WHERE "gateway_refunds"."status" = 'sending';