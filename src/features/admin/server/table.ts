import {
  bigint,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { noticeModes, type Topic } from '../rules.ts'

const sum = () => bigint({ mode: 'number' }).notNull()

/**
 * By days of western Indonesian time that are over. A day is in this table when all other tables of
 * such days have it.
 */
export const dailyFigures = pgTable('daily_figures', {
  day: date().primaryKey(),
  revenueIdr: sum(),
  orders: integer().notNull(),
  newUsers: integer().notNull(),
  activeUsers: integer().notNull(),
  creditsSold: sum(),
  creditsSpent: sum(),
  creditsExpired: sum(),
})

/** By the day of registration. */
export const dailyFunnel = pgTable(
  'daily_funnel',
  {
    day: date().notNull(),
    joined: date().notNull(),
    registered: integer().notNull(),
    /** Users whose first generation, or first payment, was on this day. */
    started: integer().notNull(),
    paid: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.joined, table.day] })],
)

/** See `outcomeOf`. */
export const dailyGenerations = pgTable(
  'daily_runs',
  {
    day: date().notNull(),
    tool: text().notNull(),
    outcome: smallint().notNull(),
    generations: integer('runs').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tool, table.outcome] })],
)

/** Without a foreign key, because a day stays as it was when an account is deleted. */
export const dailyPeople = pgTable('daily_people', { day: date().notNull(), userId: uuid().notNull() }, (table) => [
  primaryKey({ columns: [table.day, table.userId] }),
  index().on(table.userId, table.day),
])

/** Cache of distinct users over several final days, which do not add up. */
export const peopleCounts = pgTable(
  'people_counts',
  { fromDay: date().notNull(), toDay: date().notNull(), people: integer().notNull() },
  (table) => [primaryKey({ columns: [table.fromDay, table.toDay] })],
)

/** Nothing identifies the devices. */
export const dailyVisits = pgTable('daily_visits', {
  day: date().primaryKey(),
  /** A device counts once a day. */
  visits: integer().notNull(),
  /** Devices that had never been here before, so that days add up. */
  visitors: integer().notNull(),
})

export const noticeModeType = pgEnum('notice_mode', noticeModes)

/** Includes the open items already reported to the admin. */
export const staffNotices = pgTable('staff_notices', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  mode: noticeModeType().notNull(),
  reported: jsonb('told').$type<Partial<Record<Topic, number>>>().notNull(),
  reportedAt: timestamptz('told_at'),
})
