import { accountRoutes } from '#features/account/server/contributions.ts'
import { adminRoutes } from '#features/admin/server/contributions.ts'
import { firstOpenDay } from '#features/admin/server/roll-up.ts'
import { announcementRoutes } from '#features/announcements/server/routes.ts'
import type { ApprovalActions } from '#features/approvals/server/approvals.ts'
import { approvalRoutes } from '#features/approvals/server/contributions.ts'
import { auditRoutes } from '#features/audit/server/routes.ts'
import { billingRoutes } from '#features/billing/server/routes.ts'
import { contentReportRoutes } from '#features/content-reports/server/contributions.ts'
import { creditRoutes } from '#features/credits/server/contributions.ts'
import { customEditRoutes } from '#features/custom-edits/server/routes.ts'
import { errorReportRoutes } from '#features/error-reports/server/error-reports.ts'
import type { EventSources } from '#features/events/server/events.ts'
import { eventRoutes } from '#features/events/server/routes.ts'
import { generationCreated, generationView, inputView, outputView } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/generations.ts'
import { generationRoutes } from '#features/generations/server/routes.ts'
import { guardianRoutes } from '#features/guardians/server/contributions.ts'
import { locationRoutes } from '#features/locations/server/routes.ts'
import { lookRoutes } from '#features/looks/server/contributions.ts'
import { presetRoutes } from '#features/presets/server/presets.ts'
import { removeBgError, removeBgRoutes } from '#features/public-api/server/remove-bg/routes.ts'
import { publicRoutes, referenceRoutes } from '#features/public-api/server/routes.ts'
import { pushRoutes } from '#features/push/server/contributions.ts'
import { sharedResultRoutes } from '#features/shared-results/server/contributions.ts'
import { siteRoutes } from '#features/site/server/routes.ts'
import { uploadRoutes } from '#features/uploads/server/contributions.ts'
import { webhookRoutes } from '#features/webhooks/server/contributions.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { registerRoutes } from '#server/http/route.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import { adminSources, userSummaries } from './registrations.ts'

/** Names that clients, generated from the OpenAPI documents, give to these views. */
const schemas = {
  Generation: generationView,
  GenerationCreated: generationCreated,
  GenerationInput: inputView,
  GenerationOutput: outputView,
}

export function apiRoutes(
  deps: AccountDeps,
  {
    events,
    mails,
    approvalActions,
  }: { events: EventSources; mails: MailDefinitions; approvalActions: ApprovalActions },
) {
  const [generationApi, uploadApi] = [generationRoutes(deps), uploadRoutes(deps)]
  const app = registerRoutes(deps, {
    account: accountRoutes(deps, userSummaries),
    audit: auditRoutes(deps),
    approvals: approvalRoutes(deps, approvalActions),
    credits: creditRoutes(deps),
    billing: billingRoutes({ ...deps, firstOpenDay }),
    uploads: uploadApi,
    generations: generationApi,
    events: eventRoutes(deps, events),
    'custom-edits': customEditRoutes(deps),
    presets: presetRoutes(deps),
    locations: locationRoutes(deps),
    looks: lookRoutes({ ...deps, makeThumbnail: generations.makeThumbnail }),
    admin: adminRoutes(deps, mails, adminSources),
    guardians: guardianRoutes(deps),
    push: pushRoutes(deps),
    webhooks: webhookRoutes(deps),
    'shared-results': sharedResultRoutes(deps),
    'content-reports': contentReportRoutes(deps),
    site: siteRoutes(deps),
    announcements: announcementRoutes(deps),
    'error-reports': errorReportRoutes(deps),
    reference: referenceRoutes(),
  })
  const forPrograms = registerRoutes(deps, publicRoutes(deps, [...generationApi, ...uploadApi]), '/api/v1')
  const likeRemoveBg = registerRoutes(deps, { 'remove-bg': removeBgRoutes(deps) }, '/v1.0')
  likeRemoveBg.onError((error, c) => {
    const known = removeBgError(c, error)
    if (known) return known
    throw error
  })
  return { app, forPrograms, likeRemoveBg, schemas }
}
