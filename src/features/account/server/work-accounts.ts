import { securityLog } from '#server/audit/audit.ts'
import type { Deps } from '#server/deps.ts'
import { deleteUnverified } from './registration/delete-unverified.ts'
import { removeDueFactors } from './second-factor/factor-removal.ts'
import { resealSecrets } from './second-factor/reseal-secrets.ts'

export async function workAccounts(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-unverified-accounts', 3600, (signal) => deleteUnverified(deps, signal))
  await deps.jobs.every('remove-due-factors', 300, (signal) => removeDueFactors(deps, signal))
  await deps.jobs.every('reseal-secrets', 3600, () => resealSecrets(deps))
  await deps.jobs.every('sweep-security-events', 24 * 3600, () => securityLog.sweep(deps))
}
