import { and, inArray } from 'drizzle-orm'
import type { Provider } from '#providers/provider.ts'
import { advisoryLock, isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { providerJobs } from '../table.ts'
import { moveJob, type ProviderJob } from './provider-jobs.ts'
import { providerSpending } from './usable-providers.ts'

/** Lists the best slot first, and the slot to avoid only if there is no other. */
export async function freeSlots(
  { db }: Pick<Deps, 'db'>,
  provider: Pick<Provider, 'slots'>,
  { slot: avoided }: Pick<ProviderJob, 'slot'>,
): Promise<string[]> {
  const all = (await provider.slots?.()) ?? []
  if (all.length === 0) return []
  const others = all.filter((slot) => slot !== avoided)
  const candidates = others.length > 0 ? others : all
  const taken = await db
    .select({ slot: providerJobs.slot })
    .from(providerJobs)
    .where(and(inArray(providerJobs.slot, [...candidates]), inArray(providerJobs.state, ['asked', 'waiting'])))
  return candidates.filter((slot) => !taken.some((job) => job.slot === slot))
}

/** Returns undefined if no slot is free. A unique index prevents two jobs in one slot. */
export async function takeSlot(
  deps: Pick<Deps, 'db' | 'clock'>,
  provider: Provider,
  job: ProviderJob,
  sending: Partial<ProviderJob> & { state: 'asked' },
): Promise<ProviderJob | undefined> {
  if (provider.budget) return reserve(deps, provider, job, sending)
  if (!provider.slots) return moveJob(deps.db, job, sending)
  for (const slot of await freeSlots(deps, provider, job)) {
    try {
      return await moveJob(deps.db, job, { ...sending, slot })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }
  return undefined
}

export class BudgetExhausted extends Error {
  constructor(span: string) {
    super(`the budget of the ${span} is spent`)
    this.name = 'BudgetExhausted'
  }
}

/** Counts the expected cost, if the budget still allows it. */
async function reserve(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, budget }: Provider,
  job: ProviderJob,
  sending: Partial<ProviderJob> & { state: 'asked' },
): Promise<ProviderJob> {
  const { expected = 0, day = null, month = null } = (await budget?.(job.task)) ?? {}
  return transact(db, async (tx) => {
    await advisoryLock(tx, `provider_budget:${id}`)
    const spent = await providerSpending(tx, id, clock())
    if (day !== null && spent.day + expected > day) throw new BudgetExhausted('day')
    if (month !== null && spent.month + expected > month) throw new BudgetExhausted('month')
    return moveJob(tx, job, { ...sending, cost: expected })
  })
}
