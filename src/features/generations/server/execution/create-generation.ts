import { and, eq, gte, notInArray, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { engineVersion } from '#engine/version.ts'
import { type Charged, credits } from '#features/credits/server/credits.ts'
import { push } from '#features/push/server/push.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { holdAccount } from '#server/auth/accounts.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import { requireConsent } from '#server/auth/consent.ts'
import { requireApiKeyAllowance } from '#server/auth/require-api-key.ts'
import { rows, type Transaction } from '#server/db/database.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { requireUnlimited } from '#server/moderation/account-limit.ts'
import { publish } from '#server/notify.ts'
import { addTime } from '#shared/time.ts'
import { type AnyTool, isVideoTool } from '#tools/contract/tool.ts'
import { resultDays } from '../../rules.ts'
import { contentHash, knownPhotoCheck, photoCheckOf, startPhotoCheck } from '../checks/photo-check.ts'
import { insertFiles, type NewFile, storeInputs } from '../files/stored-files.ts'
import type { Generation } from '../history/views.ts'
import { generationQueueOf, sendOptions } from '../queues.ts'
import { generations } from '../table.ts'
import { countedWordProblems, countUnsafe } from '../tasks/refuse-unsafe.ts'
import { requireProviders } from '../tasks/usable-providers.ts'
import { requireEnabled, withRequiredMark } from '../tools.ts'
import { type AcceptedFile, acceptRequest, problemsOf, refuseProblems, takeInputs } from './accept-request.ts'
import { type Caller, findByKey, type GenerationRequest } from './read-request.ts'

type CreateDeps = Pick<
  Deps,
  'db' | 'store' | 'jobs' | 'notifier' | 'clock' | 'config' | 'log' | 'withFolder' | 'providers' | 'spentCredits'
>

/** Free generations, such as previews, that a user may start within an hour. */
const freeGenerationsPerHour = 30
const testGenerationsPerHour = 100
const maxFailedPerHour = 30

export interface Created {
  generation: Generation
  /** Balance after the charge, if any. */
  balance: number
  /** False for a repeated idempotency key. */
  created: boolean
}

/**
 * Copies the files, then charges and creates in one transaction, then sends the job. A crash in
 * between leaves only files for the sweep, or a generation for `resendJobs`.
 */
export async function createGeneration(
  deps: CreateDeps,
  { userId, key, request, apiKey }: { userId: string; key: string; request: GenerationRequest; apiKey?: Caller },
): Promise<Created> {
  const known = await findByKey(deps.db, userId, key)
  if (!known) {
    const { adultsOnly } = request.tool
    await requireAllowedAge(deps.db, deps.config, { userId, now: deps.clock(), adultsOnly })
  }
  if (request.unreachable) {
    // The addresses of a repeated request may have expired; its key suffices.
    if (known) return await existingGeneration(deps, known)
    throw request.unreachable
  }
  const taken = await takeInputs(deps, userId, request.inputs).catch((error: unknown) => {
    // The uploads of a repeated request may be deleted; its key suffices.
    if (known && error instanceof AppError && error.code === 'upload.not_found') return undefined
    throw error
  })
  if (known && !taken) return await existingGeneration(deps, known)
  const hash = contentHash(request, taken as AcceptedFile[])
  if (known) return await existingGeneration(deps, known, hash)

  const accepted = await acceptRequest(deps.db, request, taken as AcceptedFile[])
  await requireUnlimited(deps.db, userId, deps.clock())
  await enforceQueueLimits(deps, userId)
  const { tool } = accepted
  const test = apiKey?.test ?? false
  if (test && !hasTestResult(tool, accepted.params)) throw appError('api_key.test_impossible')
  const settings = await requireEnabled(deps.db, tool.id)
  const params = withRequiredMark(tool, accepted.params, settings)
  if (tool.needsConsent) await requireConsent(deps.db, userId, tool.needsConsent)
  refuseProblems(await countedWordProblems(deps, userId, accepted))
  await requireProviders(deps, userId, tool, params)
  const unit = await credits.unitPrice(deps.db, tool)
  // Only a price that depends on findings waits for the check here; otherwise the generation waits.
  const { photoCheck, awaitedCheck } = tool.pricedByCheck?.(params)
    ? { photoCheck: await photoCheckOf(deps, accepted), awaitedCheck: undefined }
    : await knownPhotoCheck(deps, accepted)
  const info = photoCheck ? { ...accepted.info, photoCheck } : accepted.info
  await countUnsafe(deps, userId, accepted, photoCheck?.problems ?? [])
  refuseProblems(problemsOf(tool, params, info))
  const fullPrice = tool.price(unit, params, info)
  const price = test ? 0 : fullPrice
  if (price === 0) {
    const limit = test ? testGenerationsPerHour : freeGenerationsPerHour
    await limitRate(deps, [
      { rule: test ? 'generations:test-run' : 'generations:free-run', subject: userId, limit, seconds: 3600 },
    ])
  }
  if (request.expectedCredits !== undefined && request.expectedCredits !== fullPrice) {
    throw appError('credits.price_changed', { details: { credits: String(fullPrice) } })
  }

  const now = deps.clock()
  const id = uuid({ msecs: now.getTime() })
  const stored = await storeInputs(deps, id, accepted.files, now)
  try {
    const { first, generation, balance } = await transact(deps.db, async (tx) => {
      await holdAccount(tx, userId)
      // A concurrent request with the same key may have paid, so this one must not fail for lack of
      // the spent credits.
      const first = await findByKey(tx, userId, key)
      if (first) return { first, generation: first, balance: 0 }
      if (tool.needsConsent) await requireConsent(tx, userId, tool.needsConsent)
      const bytes = stored.reduce((sum, file) => sum + file.bytes, 0)
      await uploads.requireSpace(deps, tx, { userId, bytes, now })
      if (apiKey) {
        const charge = { apiKeyId: apiKey.id, credits: price, now }
        await requireApiKeyAllowance(tx, charge, (since) => spentByKey(tx, apiKey.id, since))
      }
      const charged = await credits.charge(tx, {
        userId,
        generationId: id,
        tool: tool.id,
        unit,
        credits: price,
        now,
      })
      const generation = await insertPaid(
        tx,
        charged,
        {
          params,
          queue: generationQueueOf(tool),
          idempotencyKey: key,
          contentHash: hash,
          awaitedCheck: awaitedCheck ?? null,
          apiKeyId: apiKey?.id ?? null,
          test,
          engineVersion,
          createdAt: now,
          expiresAt: addTime(now, { days: resultDays }),
        },
        stored,
      )
      await uploads.markUploadsUsed(tx, { refs: Object.values(request.inputs).flat(), by: id, now })
      if (await credits.fallsBelowLowMark(tx, charged, now))
        await push.enqueue(tx, { kind: 'credits_low', userId, now })
      return { generation, balance: charged.balance }
    })
    if (first) {
      await deps.store.delete(stored.map((file) => file.storageKey)).catch(() => {})
      return await existingGeneration(deps, first, hash)
    }
    // The generation is committed; `resendJobs` repairs a failure.
    if (awaitedCheck) {
      const files = accepted.files.map((file, index) => ({ ...file, storageKey: stored[index]?.storageKey ?? '' }))
      await startPhotoCheck(deps, { jobId: id, tool, params: accepted.params, files, contentHash: awaitedCheck }).catch(
        (error: unknown) => deps.log.warn({ err: error, generationId: id }, 'could not queue the photo check'),
      )
    }
    await deps.jobs
      .send(generation.queue, { generationId: id }, sendOptions(generation))
      .catch((error: unknown) => deps.log.error({ err: error, generationId: id }, 'could not queue the job'))
    return { generation, balance, created: true }
  } catch (error) {
    // Deletes the files only after a certain rollback; after a lost connection the sweep decides.
    if (!(error instanceof AppError) && !isUniqueViolation(error, 'one_generation_per_key')) throw error
    await deps.store.delete(stored.map((file) => file.storageKey)).catch(() => {})
    // Charges of one account are serialized, so a concurrent request with the same key is
    // committed.
    const first = await findByKey(deps.db, userId, key)
    if (first) return await existingGeneration(deps, first, hash)
    throw error
  }
}

async function insertPaid(
  tx: Transaction,
  charged: Charged,
  values: Pick<
    Generation,
    | 'params'
    | 'queue'
    | 'idempotencyKey'
    | 'contentHash'
    | 'awaitedCheck'
    | 'apiKeyId'
    | 'test'
    | 'engineVersion'
    | 'createdAt'
    | 'expiresAt'
  >,
  files: NewFile[],
): Promise<Generation> {
  const { generationId: id, userId, tool, credits } = charged
  const [row] = await tx
    .insert(generations)
    .values({ ...values, id, userId, tool, credits, turn: openGenerationsOf(userId) })
    .returning()
  const generation = row as Generation
  await insertFiles(tx, userId, files, generation.createdAt)
  await publish(
    tx,
    { kind: 'generation', userId, generationId: id, change: generation.change },
    { kind: 'credits', userId },
  )
  return generation
}

/** Videos and work of hosted providers are not made for free. */
function hasTestResult(tool: AnyTool, params: Record<string, unknown>): boolean {
  return !isVideoTool(tool) && (tool.needs?.(params) ?? []).length === 0
}

/** Credits of the key's generations since then; refunded ones do not count. */
async function spentByKey(tx: Transaction, apiKeyId: string, since: Date): Promise<number> {
  const [found] = await tx
    .select({ credits: sql<number>`coalesce(sum(${generations.credits}), 0)::int` })
    .from(generations)
    .where(
      and(
        eq(generations.apiKeyId, apiKeyId),
        gte(generations.createdAt, since),
        notInArray(generations.status, ['failed', 'cancelled']),
      ),
    )
  return found?.credits ?? 0
}

/** Refuses other content under the same key. */
async function existingGeneration(deps: CreateDeps, generation: Generation, hash?: string): Promise<Created> {
  if (hash !== undefined && generation.contentHash !== hash) throw appError('idempotency.reused')
  const balance = await credits.balance(deps.db, generation.userId, deps.clock())
  return { generation, balance: balance.credits, created: false }
}

/** Queue priority: users with fewer open generations go first. */
function openGenerationsOf(userId: string) {
  return sql<number>`(select least(count(*), 10000) from ${generations}
    where user_id = ${userId}::uuid and status in ('queued', 'detecting', 'generating'))`
}

/**
 * Throws when the server's queue is full, or the user has too many failed generations: failures
 * cost engine time and are refunded.
 */
async function enforceQueueLimits({ db, config, clock }: CreateDeps, userId: string): Promise<void> {
  const hourAgo = addTime(clock(), { hours: -1 }).toISOString()
  const [counts] = await rows<{ queued: number; failed: number }>(
    db,
    sql`select
      (select count(*)::int from ${generations} where status = 'queued') as queued,
      (select count(*)::int from ${generations}
        where user_id = ${userId}::uuid and status = 'failed' and finished_at > ${hourAgo}::timestamptz) as failed`,
  )
  if ((counts?.failed ?? 0) >= maxFailedPerHour) throw appError('request.rate_limited', { retryAfter: 3600 })
  if ((counts?.queued ?? 0) >= config.queueLimit) throw appError('queue.full', { retryAfter: 30 })
}
