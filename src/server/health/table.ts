import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../db/columns.ts'

/** The processes that run now: each says every few seconds that it does. */
export const processes = pgTable('processes', {
  id: uuid().primaryKey(),
  role: text().$type<'all' | 'web' | 'worker'>().notNull(),
  publicUrl: text().notNull(),
  version: text().notNull(),
  engineThreads: integer().notNull(),
  startedAt: moment().notNull(),
  seenAt: moment().notNull(),
})

/** What operators have set or done, such as the maintenance mode and the newest backup. */
export const serviceState = pgTable('service_state', {
  name: text().primaryKey(),
  value: jsonb().$type<Record<string, unknown>>().notNull(),
  updatedAt: moment().notNull(),
})
