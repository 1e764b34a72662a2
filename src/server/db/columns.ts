import { timestamp } from 'drizzle-orm/pg-core'

export const timestamptz = () => timestamp({ withTimezone: true })
