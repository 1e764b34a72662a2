import { and, count, desc, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { advisoryLock } from '#server/db/locks.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { findTool } from '#tools/contract/tool.ts'
import { maxLooks } from '../rules.ts'
import type { LookInput, LookView } from '../schemas.ts'
import { looks } from './table.ts'

const { id, tool, name, params } = looks

/** Last changed first. */
export const listLooks = ({ db }: Pick<Deps, 'db'>, userId: string): Promise<LookView[]> =>
  db.select({ id, tool, name, params }).from(looks).where(eq(looks.userId, userId)).orderBy(desc(looks.changedAt))

/** Replaces options of the same name. */
export async function saveLook(
  { db, clock, tools }: Pick<Deps, 'db' | 'clock' | 'tools'>,
  userId: string,
  given: LookInput,
): Promise<LookView> {
  const contract = findTool(tools, given.tool)
  if (!contract) throw appError('form.invalid', { details: { tool: 'form.invalid' } })
  const parsed = contract.parseParams(given.params)
  if (!parsed.ok) throw appError('form.invalid', { details: parsed.problems })
  const ofPictures = new Set<string>(contract.pictureParams)
  const params = Object.fromEntries(Object.entries(given.params).filter(([name]) => !ofPictures.has(name)))
  return await transact(db, async (tx) => {
    await advisoryLock(tx, `looks:${userId}`)
    const same = and(eq(looks.userId, userId), eq(tool, given.tool), eq(name, given.name))
    const changed = { params, changedAt: clock() }
    const [known] = await tx.update(looks).set(changed).where(same).returning({ id })
    if (known) return { ...given, params, id: known.id }
    const [held] = await tx.select({ count: count() }).from(looks).where(eq(looks.userId, userId))
    if ((held?.count ?? 0) >= maxLooks) throw appError('look.too_many')
    const row = { id: uuid(), userId, tool: given.tool, name: given.name, ...changed }
    await tx.insert(looks).values(row)
    return { ...given, params, id: row.id }
  })
}

const own = (userId: string, lookId: string) => and(eq(looks.userId, userId), eq(id, lookId))

export async function renameLook({ db }: Pick<Deps, 'db'>, userId: string, lookId: string, to: string): Promise<void> {
  try {
    const renamed = await db.update(looks).set({ name: to }).where(own(userId, lookId)).returning({ id })
    if (renamed.length === 0) throw appError('request.not_found')
  } catch (error) {
    if (!isUniqueViolation(error, 'one_look_per_name')) throw error
    throw appError('form.invalid', { details: { name: 'look.nameTaken' } })
  }
}

/** Idempotent: the answer to an earlier request may have been lost. */
export async function deleteLook({ db }: Pick<Deps, 'db'>, userId: string, lookId: string): Promise<void> {
  await db.delete(looks).where(own(userId, lookId))
}
