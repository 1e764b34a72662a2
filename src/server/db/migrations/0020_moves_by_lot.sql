DROP INDEX "credit_grant_moves_grant_id_index";--> statement-breakpoint
CREATE INDEX "moves_by_lot" ON "credit_grant_moves" USING btree ("grant_id","amount");