import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'

/** A single row for all reports of the same error. */
export const errorReports = pgTable(
  'error_reports',
  {
    /**
     * SHA-256 of part, version, topmost frame and the message without its numbers and addresses.
     */
    fingerprint: text().primaryKey(),
    part: text().$type<'page' | 'worker'>().notNull(),
    /** As returned by /api/version. */
    version: text().notNull(),
    message: text().notNull(),
    /** Topmost frames: files of the build, with line and column. */
    place: text().notNull(),
    count: integer().notNull(),
    firstAt: timestamptz().notNull(),
    lastAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.lastAt)],
)

/** Invented errors cannot have many networks. */
export const errorReportNetworks = pgTable(
  'error_report_networks',
  {
    fingerprint: text()
      .notNull()
      .references(() => errorReports.fingerprint, { onDelete: 'cascade' }),
    /** Keyed hash of the network (IPv4 /24, IPv6 /48). */
    network: text().notNull(),
    lastAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.fingerprint, table.network] }), index().on(table.network, table.lastAt)],
)
