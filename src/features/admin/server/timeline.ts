import { type SQL, sql } from 'drizzle-orm'
import { auditLog, securityEvents } from '#server/audit/table.ts'
import { users } from '#server/auth/table.ts'
import { rows } from '#server/db/database.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import { translate } from '#server/i18n.ts'
import { type MailTemplate, mailOutbox, sentMails } from '#server/mail/table.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { TimelineEntry, timelineInput } from '../schemas.ts'
import { type AdminSources, type TimelineSource, timelineColumns } from './sources.ts'

const byTime: Key<TimelineEntry> = { column: sql`at`, type: 'timestamptz', of: ({ at }) => at }
const timelineOrders = {
  newest: keyset('timeline:newest', 'descending', [byTime]),
  oldest: keyset('timeline:oldest', 'ascending', [byTime]),
}

type Found = Omit<TimelineEntry, 'at' | 'key'> & { at: string | Date }

/**
 * Newest first by default. A page ends after all entries of its last moment, because several things
 * happen in one transaction.
 */
export async function readTimeline(
  { db }: Pick<Deps, 'db'>,
  { timeline }: Pick<AdminSources, 'timeline'>,
  { id, language }: { id: string; language: Language },
  query: typeof timelineInput.infer,
  { cursor, limit = 25 }: PageRequest = query,
): Promise<Page<TimelineEntry>> {
  const { kind, sort = 'newest' } = query
  const order = timelineOrders[sort]
  const orderBy = sql.join(order.orderBy, sql`, `)
  const sources = timeline.flatMap((sourcesOf) => sourcesOf(id))
  const wanted = sources.filter((source) => kind === undefined || source.kind === kind)
  const parts = wanted.map(
    (source) => sql`(select ${sql.raw(`'${source.kind}'`)} as kind, part.* from (${selectFrom(source)}) part
      where ${order.after(cursor) ?? sql`true`} order by ${orderBy} limit ${2 * limit})`,
  )
  const found = await rows<Found>(
    db,
    sql`select * from (${sql.join(parts, sql` union all `)}) everything order by ${orderBy}, kind limit ${2 * limit}`,
  )
  const entries = found.map((entry, index) => view(entry, language, index))
  const last = entries[limit - 1]
  const items = last ? entries.filter(({ at }, index) => index < limit || at === last.at) : entries
  return { items, nextCursor: last && entries.length > items.length ? order.cursorOf(last) : null }
}

function view(entry: Found, language: Language, index: number): TimelineEntry {
  const at = new Date(entry.at).toISOString()
  return { ...entry, key: `${at} ${index}`, at, detail: detailOf(entry, language) }
}

function detailOf({ kind, what, code, detail }: Found, language: Language): string | null {
  if (code) return translate(language, `error.${code as ErrorCode}`)
  if (kind !== 'mail') return detail
  return translate(language, `mail.${what as MailTemplate}.subject`, { title: '…', number: '…' })
}

/** All have the same columns. */
function selectFrom({ columns: { at, what, ...given }, rows: found }: TimelineSource): SQL {
  const names = Object.keys(timelineColumns) as (keyof typeof timelineColumns)[]
  const others = names.map(
    (name) => sql`${given[name] ?? sql`null`}::${sql.raw(timelineColumns[name])} as ${sql.identifier(name)}`,
  )
  return sql`select ${sql.join([sql`${at} as at`, sql`${what}::text as what`, ...others], sql`, `)} from ${found}`
}

/** Mails, security events and acts of staff, which the server keeps for all features. */
export const serverTimeline = (userId: string): TimelineSource[] => [
  {
    kind: 'mail',
    columns: { at: sql`${sentMails.sentAt}`, what: sql`${sentMails.template}`, state: sql`'sent'` },
    rows: sql`${sentMails} where ${sentMails.userId} = ${userId}`,
  },
  {
    kind: 'mail',
    columns: { at: sql`${mailOutbox.createdAt}`, what: sql`${mailOutbox.template}`, state: sql`'owed'` },
    rows: sql`${mailOutbox} where ${mailOutbox.userId} = ${userId}`,
  },
  {
    kind: 'security',
    columns: {
      at: sql`${securityEvents.createdAt}`,
      what: sql`${securityEvents.kind}`,
      detail: sql`${securityEvents.detail}`,
      technical: sql`${securityEvents.addressClass}`,
    },
    rows: sql`${securityEvents} where ${securityEvents.userId} = ${userId}`,
  },
  {
    kind: 'staff',
    columns: {
      at: sql`${auditLog.createdAt}`,
      what: sql`${auditLog.action}`,
      detail: sql`${auditLog.reason}`,
      state: sql`${users.name}`,
    },
    rows: sql`${auditLog} left join ${users} on ${users.id} = ${auditLog.actorId}
      where ${auditLog.subjectKind} = 'account' and ${auditLog.subjectId} = ${userId}`,
  },
]
