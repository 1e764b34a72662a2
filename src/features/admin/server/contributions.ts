import type { Deps } from '#server/deps.ts'
import { notifyStaff, staffMails } from './notify-staff.ts'
import { rollUp } from './roll-up.ts'
import type { AdminSources } from './sources.ts'
import { serverTimeline } from './timeline.ts'

export const adminContributions = {
  mails: staffMails,
  timeline: serverTimeline,
  async work(deps: Deps, sources: AdminSources): Promise<void> {
    await deps.jobs.every('roll-up-figures', 900, (signal) => rollUp(deps, sources, signal))
    await deps.jobs.every('tell-staff', 300, () => notifyStaff(deps, sources))
  },
}
