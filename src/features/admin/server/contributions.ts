import type { Deps } from '#server/deps.ts'
import { notifyStaff, staffMails } from './notify-staff.ts'
import { rollUp } from './roll-up.ts'

export const adminContributions = {
  mails: staffMails,
  async work(deps: Deps): Promise<void> {
    await deps.jobs.every('roll-up-figures', 900, (signal) => rollUp(deps, signal))
    await deps.jobs.every('tell-staff', 300, () => notifyStaff(deps))
  },
}
