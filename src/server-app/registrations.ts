import { account } from '#features/account/server/account.ts'
import { type AdminSources, admin } from '#features/admin/server/admin.ts'
import { type ApprovalActions, approvals } from '#features/approvals/server/approvals.ts'
import { billing } from '#features/billing/server/billing.ts'
import { credits } from '#features/credits/server/credits.ts'
import { customEdits } from '#features/custom-edits/server/custom-edits.ts'
import type { EventSources } from '#features/events/server/events.ts'
import { generations } from '#features/generations/server/generations.ts'
import { looks } from '#features/looks/server/looks.ts'
import { push } from '#features/push/server/push.ts'
import type { PushDefinitions } from '#features/push/server/push-definition.ts'
import { sharedResults } from '#features/shared-results/server/shared-results.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { AccountHooks } from '#server/account-hooks.ts'
import { findRecipient } from '#server/auth/accounts.ts'
import { backupCheck, refusedBackupCheck } from '#server/backup/scheduled-backup.ts'
import { type HealthTools, serverChecks } from '#server/health/checks.ts'
import { type HealthCheck, healthMetrics } from '#server/health/health.ts'
import type { MailRegistry } from '#server/mail/send-mail.ts'
import { mailOutbox } from '#server/mail/table.ts'
import type { MetricSource } from '#server/metrics.ts'
import { outboxQueue } from '#server/outbox.ts'

/** The types report missing registrations. */
export const events = {
  generation: generations.events,
  order: billing.events,
  credits: credits.events,
  customEdits: customEdits.events,
} satisfies EventSources

/** Run after a second member of staff has confirmed them. */
export const approvalActions = {
  credit_adjustment: credits.approvalAction,
  ...billing.approvalActions,
} satisfies ApprovalActions

export const queues = { ...generations.queues, 'send-mail': outboxQueue, 'send-push': outboxQueue }

export const mails = {
  definitions: { ...account.mails, ...billing.mails, ...customEdits.mails, ...generations.mails, ...admin.mails },
  findRecipient: findRecipient,
} satisfies MailRegistry

export const pushes = { ...billing.pushes, ...customEdits.pushes, ...generations.pushes } satisfies PushDefinitions

/** Problems that an operator has to know of before users notice them. */
export const healthChecks: readonly HealthCheck<HealthTools>[] = [
  ...serverChecks,
  generations.queueCheck,
  backupCheck,
  refusedBackupCheck,
  ...billing.gatewayChecks,
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
  ...credits.metrics,
  ...uploads.metrics,
  ...generations.metrics,
  ...billing.metrics,
]

export const accountHooks = {
  // The account comes first: other rows reference it, so it is erased last.
  personalData: [
    account.personalData,
    credits.personalData,
    billing.personalData,
    approvals.personalData,
    generations.personalData,
    customEdits.personalData,
    uploads.personalData,
    push.personalData,
    sharedResults.personalData,
    looks.personalData,
  ],
  verified: [
    (tx, { userId, mailbox, now, config }) =>
      credits.grantWelcome(tx, {
        userId,
        mailbox,
        now,
        amount: config.welcomeCredits,
        perDomain: config.welcomesPerDomain,
      }),
  ],
} satisfies AccountHooks

/** The dashboard's figures and open work, and the entries of a user's timeline. */
export const adminSources = {
  figures: { generations: generations.during, orders: billing.ordersDuring, ledger: billing.ledgerDuring },
  openCounts: {
    ...generations.openCounts,
    ...billing.openCounts,
    ...approvals.openCounts,
    ...customEdits.openCounts,
  },
  timeline: [generations.timeline, billing.timeline, customEdits.timeline, admin.timeline],
  closeDays: [billing.closeDays],
} satisfies AdminSources

export const userSummaries = { orders: billing.orderSummary, generations: generations.summary }
