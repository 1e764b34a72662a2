ALTER TABLE "mail_outbox" DROP CONSTRAINT "mail_outbox_user_id_users_id_fk";
