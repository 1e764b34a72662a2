import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import { allAnnouncementsSchema, announcementInput, announcementsSchema } from '../schemas.ts'
import { changeAnnouncement, createAnnouncement, currentAnnouncements, listAnnouncements } from './announcements.ts'

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
