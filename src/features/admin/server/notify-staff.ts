import { and, eq, isNull } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { advisoryLock, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { translate } from '#server/i18n.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { Language } from '#shared/language.ts'
import { type Permission, permissionsOf } from '#shared/roles.ts'
import { wibDay, wibFields } from '#shared/time.ts'
import { type NoticeMode, type OpenTopic, type Topic, topics } from '../rules.ts'
import { countOpen } from './dashboard.ts'
import type { AdminSources } from './sources.ts'
import { staffNotices } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'health'>
type TopicCounts = Partial<Record<Topic, number>>

/** Western Indonesian time. */
const digestHour = 7

type Sources = Pick<AdminSources, 'openCounts'>

const permissionFor = ({ openCounts }: Sources, topic: Topic): Permission =>
  topic in openCounts ? openCounts[topic as OpenTopic].notice : 'control'

/** A problem of the server counts as 1. */
async function countOpenWork({ db, clock, health }: Tools, sources: Sources): Promise<TopicCounts> {
  const [open, items] = await Promise.all([countOpen({ db, clock }, sources), health()])
  const wrong = items.filter(({ problem }) => problem).map(({ name }) => [name, 1] as const)
  const counts = topics.flatMap((topic) => (topic in open ? [[topic, open[topic as keyof typeof open]] as const] : []))
  return Object.fromEntries([...counts, ...wrong].filter(([, count]) => count > 0))
}

/**
 * Mails at once when there is more than last reported, or once a day. Reported counts fall with the
 * open work, so that items that come back are reported again.
 */
export async function notifyStaff(tools: Tools, sources: Sources): Promise<void> {
  const { db, clock } = tools
  const now = clock()
  const all = await countOpenWork(tools, sources)
  const local = wibFields(now)
  await transact(db, async (tx) => {
    // Every process runs this; the lock prevents repeated notices.
    await advisoryLock(tx, 'tell-staff')
    const staff = await tx
      .select({ id: users.id, role: users.role, duty: users.duty, notice: staffNotices })
      .from(users)
      .leftJoin(staffNotices, eq(staffNotices.userId, users.id))
      .where(and(eq(users.role, 'admin'), isNull(users.disabledAt), isNull(users.deletedAt)))
    for (const { id: userId, notice, ...person } of staff) {
      const granted = permissionsOf(person)
      const mine = topics.flatMap((topic) =>
        granted.includes(permissionFor(sources, topic)) ? [[topic, all[topic] ?? 0] as const] : [],
      )
      const reported = notice?.reported ?? {}
      const mode: NoticeMode = notice?.mode ?? 'at_once'
      const more = mine.some(([topic, count]) => count > (reported[topic] ?? 0))
      const isDigestDue =
        local.getUTCHours() >= digestHour &&
        (notice?.reportedAt ? wibDay(notice.reportedAt) : '') < wibDay(now) &&
        mine.some(([, count]) => count > 0)
      const isDue = mode === 'at_once' ? more : mode === 'daily' && isDigestDue
      const next = mine.map(([topic, count]) => [topic, isDue ? count : Math.min(count, reported[topic] ?? 0)] as const)
      const row = {
        reported: Object.fromEntries(next.filter(([, count]) => count > 0)) as TopicCounts,
        ...(isDue && { reportedAt: now }),
      }
      if (!isDue && JSON.stringify(row.reported) === JSON.stringify(reported)) continue
      await tx
        .insert(staffNotices)
        .values({ userId, mode, ...row })
        .onConflictDoUpdate({ target: staffNotices.userId, set: row })
      if (isDue) await enqueueMail(tx, { template: 'staff_notice', userId, now })
    }
  })
}

export async function readNoticeMode({ db }: Pick<Deps, 'db'>, userId: string): Promise<NoticeMode> {
  const [found] = await db.select().from(staffNotices).where(eq(staffNotices.userId, userId))
  return found?.mode ?? 'at_once'
}

export async function setNoticeMode({ db }: Pick<Deps, 'db'>, userId: string, mode: NoticeMode): Promise<void> {
  await db
    .insert(staffNotices)
    .values({ userId, mode, reported: {} })
    .onConflictDoUpdate({ target: staffNotices.userId, set: { mode } })
}

const lineOf = (language: Language, topic: Topic, count: number) =>
  translate(language, `staff_notice.${topic}`, { count })

export const staffMails = {
  staff_notice: {
    cause: 'account',
    async content({ db }, { userId, language }) {
      const [found] = await db.select().from(staffNotices).where(eq(staffNotices.userId, userId))
      const lines = topics.flatMap((topic) => {
        const count = found?.reported[topic] ?? 0
        return count > 0 ? [lineOf(language, topic, count)] : []
      })
      return lines.length > 0 ? { path: '/admin/dashboard', values: { list: lines.join('\n\n') } } : null
    },
  },
} satisfies Record<string, MailDefinition>
