import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import { allAnnouncementsSchema, announcementInput, announcementsSchema } from '../schemas.ts'
import { changeAnnouncement, createAnnouncement, currentAnnouncements, listAnnouncements } from './announcements.ts'

export function announcementRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  const path = '/admin/announcements'
  return new Hono<UserEnv>()
    .get(
      '/announcements',
      documented(
        'List announcements that are active now or start within a day',
        respondsWith(200, 'The announcements', announcementsSchema),
        { security: [] },
      ),
      async (c) => c.json({ items: await currentAnnouncements(deps) }),
    )
    .get(
      path,
      documented('List recent announcements', respondsWith(200, 'The announcements', allAnnouncementsSchema)),
      shop,
      async (c) => c.json({ items: await listAnnouncements(deps) }),
    )
    .post(
      path,
      documented('Create an announcement', respondsWith(201, 'The announcement')),
      shop,
      jsonOnly,
      validJson(announcementInput),
      async (c) => c.json(await createAnnouncement(deps, c.var.user.id, c.req.valid('json')), 201),
    )
    .put(
      `${path}/:id`,
      documented('Update or end an announcement', respondsWith(200, 'The announcement')),
      shop,
      jsonOnly,
      validJson(announcementInput),
      async (c) => {
        const change = { id: pathId(c, 'announcement.not_found'), staffId: c.var.user.id }
        return c.json(await changeAnnouncement(deps, change, c.req.valid('json')))
      },
    )
}
