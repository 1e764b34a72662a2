import type { Deps } from '#server/deps.ts'
import { sweepErrors } from './record-error-report.ts'

export const errorReportContributions = {
  work: (deps: Deps) => deps.jobs.every('sweep-error-reports', 24 * 3600, () => sweepErrors(deps)),
}
