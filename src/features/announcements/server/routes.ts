import { and, asc, desc, eq, gt, isNull, lte, or } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { audit } from '#server/audit/audit.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { addTime } from '#shared/time.ts'
import { aheadHours } from '../rules.ts'
import {
  type Announcement,
  type AnnouncementInput,
  allAnnouncementsSchema,
  announcementInput,
  announcementsSchema,
  type StaffAnnouncement,
} from '../schemas.ts'
import { announcements } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock'>

const listed = 100

/** Includes the next day. */
async function currentAnnouncements({ db, clock }: Tools): Promise<Announcement[]> {
  const now = clock()
  const { startsAt, endsAt } = announcements
  const found = await db
    .select()
    .from(announcements)
    .where(and(lte(startsAt, addTime(now, { hours: aheadHours })), or(isNull(endsAt), gt(endsAt, now))))
    .orderBy(asc(startsAt), asc(announcements.id))
  return found.map((row) => {
    const { version: _, ...shown } = view(row)
    return shown
  })
}

async function listAnnouncements({ db }: Pick<Tools, 'db'>): Promise<StaffAnnouncement[]> {
  const found = await db.select().from(announcements).orderBy(desc(announcements.id)).limit(listed)
  return found.map(view)
}

async function createAnnouncement(
  { db, clock }: Tools,
  staffId: string,
  { text, path, startsAt, endsAt }: AnnouncementInput,
): Promise<StaffAnnouncement> {
  return transact(db, async (tx) => {
    const [made] = await tx.insert(announcements).values({ id: uuid(), text, path, startsAt, endsAt }).returning()
    const after = view(made as Row)
    const entry = { actor: staffId, action: 'announcement.created' as const, subject: about(after.id) }
    await audit(tx, { ...entry, after, now: clock() })
    return after
  })
}

/** Refused if it was changed meanwhile. */
async function changeAnnouncement(
  { db, clock }: Tools,
  { id, staffId }: { id: string; staffId: string },
  { version, text, path, startsAt, endsAt }: AnnouncementInput,
): Promise<StaffAnnouncement> {
  return transact(db, async (tx) => {
    const [found] = await tx.select().from(announcements).where(eq(announcements.id, id)).for('update')
    if (!found) throw appError('announcement.not_found')
    requireVersion(version, found.version)
    const [changed] = await tx
      .update(announcements)
      .set({ text, path, startsAt, endsAt, version: found.version + 1 })
      .where(eq(announcements.id, id))
      .returning()
    const [before, after] = [view(found), view(changed as Row)]
    const entry = { actor: staffId, action: 'announcement.changed' as const, subject: about(id) }
    await audit(tx, { ...entry, before, after, now: clock() })
    return after
  })
}

type Row = typeof announcements.$inferSelect

const about = (id: string) => ({ kind: 'announcement', id })

function view({ startsAt, endsAt, ...row }: Row): StaffAnnouncement {
  return { ...row, startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null }
}

export function announcementRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  return [
    route('listCurrentAnnouncements', 'GET /announcements', 'visitor', {
      summary: 'List announcements that are active now or start within a day',
      output: { 200: ['The announcements', announcementsSchema] },
      handler: async () => ({ items: await currentAnnouncements(deps) }),
    }),
    route('listAnnouncements', 'GET /admin/announcements', shop, {
      summary: 'List recent announcements',
      output: { 200: ['The announcements', allAnnouncementsSchema] },
      handler: async () => ({ items: await listAnnouncements(deps) }),
    }),
    route('createAnnouncement', 'POST /admin/announcements', shop, {
      summary: 'Create an announcement',
      input: { json: announcementInput },
      output: { 201: 'The announcement' },
      handler: (c) => createAnnouncement(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('changeAnnouncement', 'PUT /admin/announcements/:id', shop, {
      summary: 'Update or end an announcement',
      input: { json: announcementInput },
      output: { 200: 'The announcement' },
      errors: ['announcement.not_found'],
      handler: async (c) => {
        const change = { id: pathId(c, 'announcement.not_found'), staffId: c.var.user.id }
        return await changeAnnouncement(deps, change, c.req.valid('json'))
      },
    }),
  ]
}
