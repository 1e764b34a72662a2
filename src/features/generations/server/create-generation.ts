import { and, count, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { account } from '#features/account/server/account.ts'
import type { Charged } from '#features/credits/server/credits.ts'
import { credits } from '#features/credits/server/credits.ts'
import type { Transaction } from '#server/db/database.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import { resultDays } from '../contract.ts'
import { acceptRun } from './accept-run.ts'
import { type NewFile, storeInputs } from './stored-files.ts'
import { generationFiles, generations } from './table.ts'
import type { RunRequest } from './uploads/read-run.ts'
import type { Generation } from './views.ts'

type CreateDeps = Pick<Deps, 'db' | 'store' | 'jobs' | 'clock' | 'config' | 'log'>

export interface Created {
  generation: Generation
  /** Balance after the charge, or now when nothing was charged. */
  balance: number
  /** False when the key came before. */
  created: boolean
}

/**
 * Creates and charges a generation. The files are stored first, then one transaction charges and creates, then the job is sent; a crash in between
 * leaves at most files that a sweep removes, or a job that a sweep sends.
 */
export async function createGeneration(
  deps: CreateDeps,
  { userId, key, request }: { userId: string; key: string; request: RunRequest },
): Promise<Created> {
  const known = await findByKey(deps, userId, key, request)
  if (known) return known

  const run = acceptRun(request)
  await holdQueue(deps)
  const { tool, params } = run
  if (tool.needsConsent) await account.requireConsent(deps.db, userId, tool.needsConsent)
  const unit = await credits.unitPrice(deps.db, tool)
  const price = tool.price(unit, params, run.facts)
  if (request.expectedCredits !== undefined && request.expectedCredits !== price) {
    throw new AppError('credits.price_changed', { details: { credits: String(price) } })
  }

  const now = deps.clock()
  const id = uuid({ msecs: now.getTime() })
  const files = await storeInputs(deps.store, id, run.files, now)
  try {
    const { generation, balance } = await transact(deps.db, async (tx) => {
      await account.holdAccount(tx, userId)
      if (tool.needsConsent) await account.requireConsent(tx, userId, tool.needsConsent)
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
          idempotencyKey: key,
          contentHash: request.contentHash,
          createdAt: now,
          expiresAt: new Date(now.getTime() + resultDays * 86_400_000),
        },
        files,
      )
      return { generation, balance: charged.balance }
    })
    // The generation stands; if the job cannot be sent now, the sweeper sends it.
    await deps.jobs
      .send('run-generation', { generationId: id })
      .catch((error: unknown) => deps.log.error({ err: error, generationId: id }, 'job not sent'))
    return { generation, balance, created: true }
  } catch (error) {
    const twin = isUniqueViolation(error, 'one_generation_per_key')
    // Only where the transaction has certainly not happened; after a lost connection nobody knows, and the sweep decides.
    if (twin || error instanceof AppError) await deps.store.delete(files.map((file) => file.storageKey)).catch(() => {})
    const first = twin ? await findByKey(deps, userId, key, request) : undefined
    if (first) return first
    throw error
  }
}

/** The row that only a payment can make. */
async function insertPaid(
  tx: Transaction,
  charged: Charged,
  facts: Pick<Generation, 'params' | 'idempotencyKey' | 'contentHash' | 'createdAt' | 'expiresAt'>,
  files: NewFile[],
): Promise<Generation> {
  const { generationId: id, userId, tool, credits } = charged
  const [row] = await tx
    .insert(generations)
    .values({ ...facts, id, userId, tool, credits })
    .returning()
  const generation = row as Generation
  await tx.insert(generationFiles).values(files)
  await publish(
    tx,
    { kind: 'generation', userId, generationId: id, change: generation.change },
    { kind: 'credits', userId },
  )
  return generation
}

/** The generation that this key made before; the same key with another content is refused. */
async function findByKey(
  deps: CreateDeps,
  userId: string,
  key: string,
  { contentHash }: RunRequest,
): Promise<Created | undefined> {
  const [generation] = await deps.db
    .select()
    .from(generations)
    .where(and(eq(generations.userId, userId), eq(generations.idempotencyKey, key)))
  if (!generation) return undefined
  if (generation.contentHash !== contentHash) throw new AppError('idempotency.reused')
  const balance = await credits.balance(deps.db, userId, deps.clock())
  return { generation, balance: balance.credits, created: false }
}

async function holdQueue({ db, config }: CreateDeps): Promise<void> {
  const [queued] = await db.select({ count: count() }).from(generations).where(eq(generations.status, 'queued'))
  if ((queued?.count ?? 0) >= config.queueLimit) throw new AppError('queue.full', { retryAfter: 30 })
}
