import { bigint, boolean, index, integer, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import type { AddedLocation, AddedLocationId } from '#engine/scenes.ts'
import { timestamptz } from '#server/db/columns.ts'

export interface LocationRecord {
  name: AddedLocation['name']
  words: { id: string[]; en: string[] }
  licence: string
  source: string
}

/**
 * Locations added by the operator. Rows never change: the newest one of an id counts, and results
 * refer to the version they were made with.
 */
export const locations = pgTable(
  'locations',
  {
    version: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text().$type<AddedLocationId>().notNull(),
    record: jsonb().$type<LocationRecord>().notNull(),
    kind: text().$type<AddedLocation['kind']>().notNull(),
    exposure: real().notNull(),
    fileKey: text().notNull(),
    sampleKey: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    active: boolean().notNull(),
    removed: boolean().notNull().default(false),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [index().on(table.id, table.version)],
)
