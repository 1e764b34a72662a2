import { fromMoment } from '#shared/date-input.ts'
import { isLocalPath } from '#shared/local-path.ts'
import { text, type } from '#shared/schema.ts'
import { announcementTexts } from './rules.ts'

const words = text(announcementTexts.text)

/** PUT sends the `version` that was read. */
export const announcementInput = type({
  text: { id: words, en: words },
  path: type(`string <= ${announcementTexts.path}`)
    .narrow((path, context) => isLocalPath(path) || context.reject('a page of the app'))
    .or('null'),
  startsAt: fromMoment,
  endsAt: fromMoment.or('null'),
  'version?': 'number.integer >= 1',
}).narrow(
  ({ startsAt, endsAt }, context) =>
    endsAt === null || startsAt < endsAt || context.reject({ path: ['endsAt'], expected: 'later' }),
)
export type AnnouncementInput = typeof announcementInput.infer

const shown = type({
  id: 'string',
  text: { id: 'string', en: 'string' },
  path: 'string | null',
  startsAt: 'string',
  endsAt: 'string | null',
})

/** Includes the next day; devices show each announcement in its time. */
export const announcementsSchema = type({ items: shown.array() })
export type Announcement = (typeof announcementsSchema.infer)['items'][number]

export const allAnnouncementsSchema = type({ items: shown.and({ version: 'number' }).array() })
export type StaffAnnouncement = (typeof allAnnouncementsSchema.infer)['items'][number]
