import { customEditEvents } from './events.ts'
import { customEditMails } from './mails.ts'
import { personalData } from './personal-data.ts'
import { customEditPushes } from './pushes.ts'
import { workCustomEdits } from './retention.ts'

export const customEdits = {
  events: customEditEvents,
  mails: customEditMails,
  personalData,
  pushes: customEditPushes,
  work: workCustomEdits,
}
