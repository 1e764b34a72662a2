import { account } from '#features/account/server/account.ts'
import { admin } from '#features/admin/server/admin.ts'
import { approvals } from '#features/approvals/server/approvals.ts'
import { billing } from '#features/billing/server/billing.ts'
import { credits } from '#features/credits/server/credits.ts'
import { customEdits } from '#features/custom-edits/server/custom-edits.ts'
import { errorReports } from '#features/error-reports/server/error-reports.ts'
import { generations } from '#features/generations/server/generations.ts'
import { push } from '#features/push/server/push.ts'
import type { PushDefinitions } from '#features/push/server/push-definition.ts'
import { sharedResults } from '#features/shared-results/server/shared-results.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { backUpWhenDue } from '#server/backup/scheduled-backup.ts'
import type { Deps } from '#server/deps.ts'
import { sweepRates } from '#server/http/rate-limit.ts'
import { deleteOldSentMails, sweepMails } from '#server/mail/outbox.ts'
import { type MailRegistry, sendMail } from '#server/mail/send-mail.ts'
import type { EnginePool } from '#tools/threads/pool.ts'

/** Registers all work outside of requests: jobs and repeated tasks. */
export async function startWorker(
  deps: Deps & { engine: EnginePool },
  mails: MailRegistry,
  pushes: PushDefinitions,
): Promise<void> {
  const { jobs } = deps
  await jobs.work('send-mail', 2, ({ mailId }) => sendMail(deps, mails, mailId))
  await jobs.every('sweep-mails', 30, () => sweepMails(deps))
  await push.work(deps, pushes)
  await jobs.every('forget-sent-mails', 3600, () => deleteOldSentMails(deps))
  await jobs.every('sweep-rates', 600, () => sweepRates(deps))
  await jobs.every('expire-credits', 300, async (signal) => {
    await credits.expireAllLots(deps, signal)
  })
  await jobs.every('backup', 300, () => backUpWhenDue(deps))
  await uploads.work(deps)
  await account.work(deps)
  await generations.work(deps)
  await billing.work(deps)
  await customEdits.work(deps)
  await approvals.work(deps)
  await admin.work(deps)
  await errorReports.work(deps)
  await sharedResults.work(deps)
}
