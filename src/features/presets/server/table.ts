import { bigint, boolean, index, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'

/**
 * Versioned presets of the passport photo: the newest row counts, and without one the built-in
 * preset.
 */
export const passportPresets = pgTable(
  'passport_presets',
  {
    version: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text().notNull(),
    preset: jsonb().$type<Omit<PassportPreset, 'id'>>().notNull(),
    position: smallint().notNull(),
    active: boolean().notNull(),
    createdAt: moment().notNull(),
    createdBy: uuid(),
  },
  (table) => [index().on(table.id, table.version)],
)
