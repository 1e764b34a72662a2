import { timestamp } from 'drizzle-orm/pg-core'

/** PostgreSQL's timestamp with time zone. */
export const moment = () => timestamp({ withTimezone: true })
