import { type SQL, sql } from 'drizzle-orm'
import { orderHistory, orders } from '#features/billing/server/tables/orders.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { customEdits } from '#features/custom-edits/server/table.ts'
import { generations, isRunAgain, providerJobs, refundRequests } from '#features/generations/server/table.ts'
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
import { hasStoredInput } from './failures.ts'

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
  { id, language }: { id: string; language: Language },
  query: typeof timelineInput.infer,
  { cursor, limit = 25 }: PageRequest = query,
): Promise<Page<TimelineEntry>> {
  const { kind, sort = 'newest' } = query
  const order = timelineOrders[sort]
  const orderBy = sql.join(order.orderBy, sql`, `)
  const wanted = Object.entries(sources(id)).filter(([name]) => kind === undefined || name === kind)
  const parts = wanted.map(
    ([name, source]) => sql`(select ${sql.raw(`'${name}'`)} as kind, part.* from (${source}) part
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
  if (kind === 'run' && code) return translate(language, `error.${code as ErrorCode}`)
  if (kind !== 'mail') return detail
  return translate(language, `mail.${what as MailTemplate}.subject`, { title: '…', number: '…' })
}

/** All have the same columns. */
function sources(id: string): Record<TimelineEntry['kind'], SQL> {
  const columns = (given: Record<'at' | 'what', SQL> & Partial<Record<Column, SQL>>) => {
    const { at, what, ...rest } = given
    const others = (Object.keys(types) as Column[]).map(
      (name) => sql`${rest[name] ?? sql`null`}::${sql.raw(types[name])} as ${sql.identifier(name)}`,
    )
    return sql.join([sql`${at} as at`, sql`${what}::text as what`, ...others], sql`, `)
  }
  const failed = sql`(select string_agg(${providerJobs.provider} || ': ' || ${providerJobs.error}, '; ')
    from ${providerJobs} where ${providerJobs.generationId} = ${generations.id} and ${providerJobs.error} is not null)`
  const cost = sql`(select sum(${providerJobs.cost}) from ${providerJobs} where ${providerJobs.generationId} = ${generations.id})`
  return {
    run: sql`select ${columns({
      at: sql`${generations.createdAt}`,
      what: sql`${generations.tool}`,
      state: sql`${generations.status}`,
      subject: sql`${generations.id}`,
      code: sql`${generations.errorCode}`,
      again: sql`${generations.status} = 'failed' and ${hasStoredInput}`,
      technical: sql`concat_ws(' · ', ${generations.provider}, nullif(${generations.attempts}, 0) || '×', ${failed})`,
      seconds: sql`extract(epoch from ${generations.finishedAt} - ${generations.startedAt})`,
      usd: cost,
    })} from ${generations} where ${generations.userId} = ${id}`,
    order: sql`select ${columns({
      at: sql`${orderHistory.createdAt}`,
      what: sql`${orderHistory.to}`,
      detail: sql`${orderHistory.reason}`,
      subject: sql`${orders.id}`,
      state: sql`coalesce(${orders.packageName}, ${orders.voucherCode})`,
    })} from ${orders} join ${orderHistory} on ${orderHistory.orderId} = ${orders.id} where ${orders.userId} = ${id}`,
    credits: sql`select ${columns({
      at: sql`${ledgerEntries.createdAt}`,
      what: sql`${ledgerEntries.kind}`,
      detail: sql`${ledgerEntries.note}`,
      amount: sql`${ledgerEntries.amount}`,
    })} from ${ledgerEntries} where ${ledgerEntries.userId} = ${id} and ${ledgerEntries.kind} <> 'generation'`,
    claim: sql`select ${columns({
      at: sql`${refundRequests.createdAt}`,
      what: sql`'claim'`,
      detail: sql`${refundRequests.reason}`,
      state: sql`${refundRequests.status}`,
      subject: sql`${refundRequests.generationId}`,
    })} from ${refundRequests} where ${refundRequests.userId} = ${id} and not ${isRunAgain}`,
    request: sql`select ${columns({
      at: sql`${customEdits.createdAt}`,
      what: sql`'request'`,
      detail: sql`${customEdits.title}`,
      state: sql`${customEdits.status}`,
      subject: sql`${customEdits.id}`,
    })} from ${customEdits} where ${customEdits.userId} = ${id}`,
    mail: sql`select ${columns({ at: sql`${sentMails.sentAt}`, what: sql`${sentMails.template}`, state: sql`'sent'` })}
      from ${sentMails} where ${sentMails.userId} = ${id}
      union all select ${columns({ at: sql`${mailOutbox.createdAt}`, what: sql`${mailOutbox.template}`, state: sql`'owed'` })}
      from ${mailOutbox} where ${mailOutbox.userId} = ${id}`,
    security: sql`select ${columns({
      at: sql`${securityEvents.createdAt}`,
      what: sql`${securityEvents.kind}`,
      detail: sql`${securityEvents.detail}`,
      technical: sql`${securityEvents.addressClass}`,
    })} from ${securityEvents} where ${securityEvents.userId} = ${id}`,
    staff: sql`select ${columns({
      at: sql`${auditLog.createdAt}`,
      what: sql`${auditLog.action}`,
      detail: sql`${auditLog.reason}`,
      state: sql`${users.name}`,
    })} from ${auditLog} left join ${users} on ${users.id} = ${auditLog.actorId}
      where ${auditLog.subjectKind} = 'account' and ${auditLog.subjectId} = ${id}
      union all select ${columns({
        at: sql`${refundRequests.createdAt}`,
        what: sql`'generation.run_again'`,
        state: sql`${users.name}`,
        subject: sql`${refundRequests.generationId}`,
      })} from ${refundRequests} left join ${users} on ${users.id} = ${refundRequests.decidedBy}
      where ${refundRequests.userId} = ${id} and ${isRunAgain}`,
  }
}

const types = {
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
type Column = keyof typeof types
