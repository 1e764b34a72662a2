import { timestamp } from 'drizzle-orm/pg-core'

export const timestamptz = (name = '') => timestamp(name, { withTimezone: true })
