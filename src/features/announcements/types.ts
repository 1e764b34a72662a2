import type * as schemas from './schemas.ts'

export type AnnouncementInput = typeof schemas.announcementInput.infer

export type Announcement = (typeof schemas.announcementsSchema.infer)['items'][number]

export type StaffAnnouncement = (typeof schemas.allAnnouncementsSchema.infer)['items'][number]
