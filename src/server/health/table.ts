import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../db/columns.ts'

/** Running processes: each refreshes its row every few seconds. */
export const processes = pgTable('processes', {
  id: uuid().primaryKey(),
  role: text().$type<'all' | 'web' | 'worker'>().notNull(),
  publicUrl: text().notNull(),
  version: text().notNull(),
  engineThreads: integer().notNull(),
  startedAt: timestamptz().notNull(),
  seenAt: timestamptz().notNull(),
})

export const serviceState = pgTable('service_state', {
  name: text().primaryKey(),
  value: jsonb().$type<Record<string, unknown>>().notNull(),
  updatedAt: timestamptz().notNull(),
})
