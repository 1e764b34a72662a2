import type { Deps } from '#server/deps.ts'
import { rollUp } from './roll-up.ts'
import { staffMails, tellStaff } from './tell-staff.ts'

export const admin = {
  mails: staffMails,
  async work(deps: Deps): Promise<void> {
    await deps.jobs.every('roll-up-figures', 900, (signal) => rollUp(deps, signal))
    await deps.jobs.every('tell-staff', 300, () => tellStaff(deps))
  },
}
