import { accountContributions } from '#features/account/server/contributions.ts'
import { adminContributions } from '#features/admin/server/contributions.ts'
import type { AdminSources } from '#features/admin/server/sources.ts'
import type { ApprovalActions } from '#features/approvals/server/approvals.ts'
import { approvalContributions } from '#features/approvals/server/contributions.ts'
import { assignmentContributions } from '#features/assignments/server/assignments.ts'
import { billingContributions } from '#features/billing/server/contributions.ts'
import { contentReportContributions } from '#features/content-reports/server/contributions.ts'
import { creditContributions } from '#features/credits/server/contributions.ts'
import { customEditContributions } from '#features/custom-edits/server/contributions.ts'
import { errorReportContributions } from '#features/error-reports/server/error-reports.ts'
import type { EventSources } from '#features/events/server/events.ts'
import { generationContributions } from '#features/generations/server/contributions.ts'
import { guardianContributions } from '#features/guardians/server/contributions.ts'
import { lookContributions } from '#features/looks/server/contributions.ts'
import { pushContributions } from '#features/push/server/contributions.ts'
import type { PushDefinitions } from '#features/push/server/push.ts'
import { sharedResultContributions } from '#features/shared-results/server/contributions.ts'
import { uploadContributions } from '#features/uploads/server/contributions.ts'
import { webhookContributions } from '#features/webhooks/server/contributions.ts'
import type { AccountHooks, PersonalData } from '#server/account-hooks.ts'
import { findRecipient } from '#server/auth/accounts.ts'
import { backupCheck, refusedBackupCheck } from '#server/backup/scheduled-backup.ts'
import type { Deps } from '#server/deps.ts'
import { type HealthTools, serverChecks } from '#server/health/checks.ts'
import { type HealthCheck, healthMetrics } from '#server/health/health.ts'
import type { MailRegistry } from '#server/mail/outbox.ts'
import { mailOutbox } from '#server/mail/table.ts'
import type { MetricSource } from '#server/metrics.ts'
import { outboxQueue } from '#server/outbox.ts'
import type { EnginePool } from '#tools/threads/pool.ts'

export type WorkerDeps = Deps & { engine: EnginePool }

interface Contributions {
  personalData?: PersonalData
  metrics?: readonly MetricSource<HealthTools>[]
  /** Registers jobs and repeated tasks in a worker. */
  work?(deps: WorkerDeps, pushes: PushDefinitions): Promise<unknown>
}

/** The dashboard's figures and open work, and the entries of a user's timeline. */
export const adminSources = {
  figures: {
    generations: generationContributions.admin.during,
    orders: billingContributions.admin.ordersDuring,
    ledger: billingContributions.admin.ledgerDuring,
  },
  openCounts: {
    ...generationContributions.admin.openCounts,
    ...billingContributions.admin.openCounts,
    ...approvalContributions.openCounts,
    ...customEditContributions.admin.openCounts,
    ...contentReportContributions.admin.openCounts,
  },
  timeline: [
    generationContributions.admin.timeline,
    billingContributions.admin.timeline,
    customEditContributions.admin.timeline,
    adminContributions.timeline,
  ],
  closeDays: [billingContributions.admin.closeDays],
} satisfies AdminSources

export const userSummaries = {
  orders: billingContributions.admin.orderSummary,
  generations: generationContributions.admin.summary,
}

/** The account comes first: other rows reference it, so it is erased last. */
const features: readonly Contributions[] = [
  accountContributions,
  creditContributions,
  billingContributions,
  approvalContributions,
  assignmentContributions,
  generationContributions,
  customEditContributions,
  uploadContributions,
  pushContributions,
  { ...webhookContributions, work: (deps) => webhookContributions.work(deps, generationContributions.webhooks) },
  sharedResultContributions,
  contentReportContributions,
  lookContributions,
  { ...guardianContributions, work: (deps) => guardianContributions.work({ ...deps, accountHooks }) },
  { work: (deps) => adminContributions.work(deps, adminSources) },
  errorReportContributions,
]

/** The types report missing registrations. */
export const events = {
  generation: generationContributions.events,
  order: billingContributions.events,
  credits: creditContributions.events,
  customEdits: customEditContributions.events,
} satisfies EventSources

/** Run after a second member of staff has confirmed them. */
export const approvalActions = {
  ...creditContributions.approvalActions,
  ...billingContributions.approvalActions,
} satisfies ApprovalActions

export const queues = {
  ...generationContributions.queues,
  'send-mail': outboxQueue,
  'send-push': outboxQueue,
  'send-webhook': outboxQueue,
}

export const mails = {
  definitions: {
    ...accountContributions.mails,
    ...billingContributions.mails,
    ...customEditContributions.mails,
    ...contentReportContributions.mails,
    ...guardianContributions.mails,
    ...generationContributions.mails,
    ...adminContributions.mails,
    ...assignmentContributions.mails,
  },
  findRecipient,
} satisfies MailRegistry

export const pushes = {
  ...billingContributions.pushes,
  ...customEditContributions.pushes,
  ...generationContributions.pushes,
} satisfies PushDefinitions

/** Problems that an operator has to know of before users notice them. */
export const healthChecks: readonly HealthCheck<HealthTools>[] = [
  ...serverChecks,
  ...generationContributions.healthChecks,
  backupCheck,
  refusedBackupCheck,
  ...billingContributions.healthChecks,
]

export const metricSources: readonly MetricSource<HealthTools>[] = [
  ...healthMetrics(healthChecks),
  {
    name: 'rupa_owed_mails',
    help: 'Mails that wait to be handed over',
    labels: [],
    read: async ({ db }) => [{ labels: {}, value: await db.$count(mailOutbox) }],
  },
  {
    name: 'rupa_failing_jobs',
    help: 'Jobs and repeated tasks that failed and will be tried again, or were given up within the last hour',
    labels: ['name'],
    read: async ({ jobs }) => (await jobs.failing()).map(({ name, jobs }) => ({ labels: { name }, value: jobs })),
  },
  {
    name: 'rupa_database_connections',
    help: 'Connections to PostgreSQL by state; waiting: those that want one',
    labels: ['state'],
    read: async ({ pool }) =>
      pool
        ? [
            { labels: { state: 'open' }, value: pool.totalCount },
            { labels: { state: 'idle' }, value: pool.idleCount },
            { labels: { state: 'waiting' }, value: pool.waitingCount },
          ]
        : [],
  },
  ...features.flatMap(({ metrics = [] }) => metrics),
]

export const accountHooks: AccountHooks = {
  personalData: features.flatMap(({ personalData }) => personalData ?? []),
  verified: [creditContributions.verified, guardianContributions.verified],
}

export async function workFeatures(deps: WorkerDeps): Promise<void> {
  for (const { work } of features) await work?.(deps, pushes)
}
