import { linkDays } from '#features/custom-edits/rules.ts'
import { errorReportDays } from '#features/error-reports/schemas.ts'
import { inputDays, resultDays } from '#features/generations/rules.ts'
import { maxSharedDays } from '#features/shared-results/rules.ts'
import { securityLogDays } from '#server/audit/audit.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { sentMailDays } from '#server/mail/outbox.ts'
import { version } from '#server/version.ts'
import { type } from '#shared/schema.ts'
import { type RetentionKind, type Site, siteSchema } from '#shared/site.ts'

const running = type({ version: type('string').describe('semantic version of the program') })

/** The limits by which the server deletes. */
const retentionDays = ({ sessionIdleDays }: Config): Record<RetentionKind, number> => ({
  inputs: inputDays,
  results: resultDays,
  custom_edits: linkDays,
  shared_results: maxSharedDays,
  idle_sessions: sessionIdleDays,
  security_log: securityLogDays,
  sent_mails: sentMailDays,
  error_reports: errorReportDays,
})

function readSite(config: Config): Site {
  const { supportEmail, welcomeCredits, site } = config
  const { dataOfficer, complaints, pseNumber } = site
  return {
    supportEmail,
    welcomeCredits,
    dataOfficer: { name: dataOfficer.name, email: dataOfficer.email ?? supportEmail },
    pseNumber,
    complaints: { email: complaints.email ?? supportEmail, phone: complaints.phone },
    age: config.age,
    retention: Object.entries(retentionDays(config)).map(([kind, days]) => ({ kind: kind as RetentionKind, days })),
  }
}

export function siteRoutes({ config }: Pick<Deps, 'config'>) {
  return [
    route('readSite', 'GET /site', 'visitor', {
      summary: 'Get the contacts, free credits and retention times of the site',
      output: { 200: ['The settings', siteSchema] },
      handler: () => readSite(config),
    }),
    route('readVersion', 'GET /version', 'visitor', {
      summary: 'Get the running version',
      output: { 200: ['The version', running] },
      handler: () => ({ version }),
    }),
  ]
}
