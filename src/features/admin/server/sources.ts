import type { SQL } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import type { Days, Moments } from '#server/db/days.ts'
import type { Permission } from '#shared/roles.ts'
import type { OpenTopic, TimelineKind } from '../rules.ts'
import type { Dashboard } from '../schemas.ts'

/** Queries of the rows of a period; `day` is a date of western Indonesian time. */
export interface FigureSources {
  /** By the day of creation: `day`, `user_id`, `tool`, `status`, `seconds`. */
  generations(moments: Moments): SQL
  /** By the day of payment: `day`, `user_id`, `total_idr`. */
  orders(moments: Moments): SQL
  /** `day`, `kind`, `amount`. */
  ledger(moments: Moments): SQL
}

export interface OpenCount {
  /** A subquery of one number. */
  count(now: Date): SQL
  /** Other staff see 0. */
  needs?: Permission
}

/** Staff with the permission `notice` get mails about a topic. */
export type OpenCounts = Record<keyof Dashboard['open'], OpenCount> & Record<OpenTopic, { notice: Permission }>

/** Columns of the timeline that a kind of entry may have. */
export const timelineColumns = {
  state: 'text',
  detail: 'text',
  subject: 'text',
  code: 'text',
  technical: 'text',
  again: 'boolean',
  amount: 'integer',
  seconds: 'float8',
  usd: 'float8',
} as const

export interface TimelineSource {
  kind: TimelineKind
  columns: Record<'at' | 'what', SQL> & Partial<Record<keyof typeof timelineColumns, SQL>>
  /** After `from`. */
  rows: SQL
}

/** Collected from the features. */
export interface AdminSources {
  figures: FigureSources
  openCounts: OpenCounts
  timeline: readonly ((userId: string) => readonly TimelineSource[])[]
  /** Keep what a feature reports of days that are over. */
  closeDays: readonly ((tx: Transaction, days: Days) => Promise<void>)[]
}
