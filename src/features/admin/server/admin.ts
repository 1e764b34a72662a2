import type { Deps } from '#server/deps.ts'
import { rollUp } from './roll-up.ts'

/** What the server may do for the admin area. */
export const admin = {
  work: (deps: Deps) => deps.jobs.every('roll-up-figures', 900, (signal) => rollUp(deps, signal)),
}
