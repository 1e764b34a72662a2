import { timestamp } from 'drizzle-orm/pg-core'

/** A moment: PostgreSQL's timestamp with time zone. */
export const moment = () => timestamp({ withTimezone: true })
