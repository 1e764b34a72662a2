import { customEditTimeline, openCounts } from './admin-sources.ts'
import { customEditEvents } from './events.ts'
import { customEditMails } from './mails.ts'
import { personalData } from './personal-data.ts'
import { customEditPushes } from './pushes.ts'
import { workCustomEdits } from './retention.ts'

export const customEdits = {
  events: customEditEvents,
  mails: customEditMails,
  openCounts,
  personalData,
  pushes: customEditPushes,
  timeline: customEditTimeline,
  work: workCustomEdits,
}
