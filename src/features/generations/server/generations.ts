import { decideClaim } from './claim.ts'
import { generationEvents } from './events.ts'
import { personalData } from './personal-data.ts'
import { thumbnailsOf } from './thumbnails.ts'
import { inspectPicture } from './uploads/inspect-picture.ts'
import { withForm } from './uploads/read-form.ts'
import { workGenerations } from './work-generations.ts'

/** What other features and the server may do with generations. */
export const generations = {
  decideClaim,
  events: generationEvents,
  inspectPicture,
  personalData,
  thumbnails: thumbnailsOf,
  withForm,
  work: workGenerations,
}
