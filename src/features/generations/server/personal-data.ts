import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import type { Executor } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { isOpenStatus } from '../rules.ts'
import { endGeneration, nextChange } from './execution/end-generation.ts'
import { deleteFiles } from './files/stored-files.ts'
import { listGenerations } from './history/own-generations.ts'
import type { Generation } from './history/views.ts'
import { generationFiles, generations, refundRequests, renderings } from './table.ts'

const page = 100

/** After an erasure the anonymous rows stay for the statistics, under a number of no account. */
export const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    for await (const { id, ...row } of everyGeneration(db, userId)) {
      const folder = `generations/${row.createdAt.toISOString().slice(0, 10)}-${id}`
      const [request] = await db.select().from(refundRequests).where(eq(refundRequests.generationId, id))
      const files = await db
        .select()
        .from(generationFiles)
        .where(eq(generationFiles.generationId, id))
        .orderBy(asc(generationFiles.role), asc(generationFiles.position))
      const earlier = await db
        .select({ position: renderings.position, params: renderings.params })
        .from(renderings)
        .where(eq(renderings.generationId, id))
        .orderBy(asc(renderings.position))
      const { tool, params, status, credits, provider, warnings, facts, errorCode, createdAt, finishedAt } = row
      yield jsonFile(`${folder}/generation.json`, {
        id,
        tool,
        params,
        status,
        credits,
        provider,
        warnings,
        facts,
        errorCode,
        createdAt,
        finishedAt,
        renderings: earlier,
        refundRequest: request && {
          reason: request.reason,
          status: request.status,
          refunded: request.refunded,
          at: request.createdAt,
        },
        files: files.map(({ role, label, position, name, contentType, width, height, bytes }) => ({
          role,
          label,
          position,
          name,
          contentType,
          width,
          height,
          bytes,
        })),
      })
      for (const { role, label, position, name, storageKey, createdAt: modified } of files) {
        // The result may expire while the archive is being written.
        const file = await store.stream(storageKey).catch(() => undefined)
        const place = [role, label, position].filter((part) => part !== '').join('-')
        if (file) yield { name: `${folder}/${place}-${name}`, content: file.body, modified }
      }
    }
  },

  /** Rendering jobs contain names, and the only references to some files. */
  async prepareErasure({ jobs, store }, userId) {
    for (const queue of ['render-generation', 'render-video'] as const) {
      const unfinished = await jobs.remove(queue, { userId })
      await store.delete(unfinished.flatMap(({ inputs }) => inputs.map(({ storageKey }) => storageKey)))
    }
  },

  async erase(tx, { userId, now }) {
    const mine = await tx
      .select({ id: generations.id, status: generations.status })
      .from(generations)
      .where(eq(generations.userId, userId))
    const keys: string[] = []
    for (const { id } of mine.filter(({ status }) => isOpenStatus(status))) {
      await endGeneration(tx, { id, status: 'cancelled', errorCode: null, now })
      await publish(tx, { kind: 'cancel', generationId: id })
    }
    for (let at = 0; at < mine.length; at += page) {
      const ids = mine.slice(at, at + page).map(({ id }) => id)
      keys.push(...(await deleteFiles(tx, inArray(generationFiles.generationId, ids), now)))
      await tx.delete(renderings).where(inArray(renderings.generationId, ids))
    }
    await tx
      .update(generations)
      .set({
        params: {},
        idempotencyKey: sql`${generations.id}::text`,
        contentHash: '',
        awaitedCheck: null,
        deletedAt: sql`coalesce(${generations.deletedAt}, ${now.toISOString()}::timestamptz)`,
        change: nextChange,
      })
      .where(eq(generations.userId, userId))
    await tx.update(refundRequests).set({ reason: '' }).where(eq(refundRequests.userId, userId))
    // No client waits for a result after the erasure.
    await tx
      .update(refundRequests)
      .set({ status: 'declined', decidedAt: now })
      .where(and(eq(refundRequests.userId, userId), eq(refundRequests.status, 'waiting')))
    return keys
  },
}

async function* everyGeneration(executor: Executor, userId: string): AsyncIterable<Generation> {
  let cursor: string | undefined
  do {
    const found = await listGenerations(executor, userId, { cursor, limit: page })
    yield* found.rows
    cursor = found.nextCursor ?? undefined
  } while (cursor)
}
