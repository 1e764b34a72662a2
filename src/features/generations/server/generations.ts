import { listWaitingClaims } from './admin-claims.ts'
import { decideClaim } from './claim.ts'
import { generationEvents } from './events.ts'
import { generationMetrics } from './metrics.ts'
import { personalData } from './personal-data.ts'
import { takeFiles } from './take-files.ts'
import { thumbnailsOf } from './thumbnails.ts'
import { workGenerations } from './work-generations.ts'

/** What other features and the server may do with generations. */
export const generations = {
  decideClaim,
  events: generationEvents,
  listWaitingClaims,
  metrics: generationMetrics,
  personalData,
  takeFiles,
  thumbnails: thumbnailsOf,
  work: workGenerations,
}
