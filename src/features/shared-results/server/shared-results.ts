import type { Deps } from '#server/deps.ts'
import { linkHead } from './link-head.ts'
import { personalData } from './personal-data.ts'
import { deleteExpiredLinks } from './share-result.ts'

export const sharedResults = {
  linkHead,
  personalData,
  work: (deps: Deps) => deps.jobs.every('forget-shared-results', 3600, () => deleteExpiredLinks(deps)),
}
