import { bigint, boolean, index, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'

/** The newest row counts; without one the built-in preset. */
export const passportPresets = pgTable(
  'passport_presets',
  {
    version: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text().notNull(),
    preset: jsonb().$type<Omit<PassportPreset, 'id'>>().notNull(),
    position: smallint().notNull(),
    active: boolean().notNull(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [index().on(table.id, table.version)],
)
