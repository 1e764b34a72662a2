import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { generations } from '#features/generations/server/generations.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { holdAccount } from '#server/auth/accounts.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { requireUnlimited } from '#server/moderation/account-limit.ts'
import { refuseWords } from '#server/moderation/refused-words.ts'
import { addTime } from '#shared/time.ts'
import { dueDays, editsPerDay, maxOpenEdits, parseWhatsapp } from '../rules.ts'
import type { createCustomEditInput } from '../schemas.ts'
import { canMailDesigners, mailDesigners, notifyRequestChange } from './notices.ts'
import { insertFiles, storeFiles } from './store-files.ts'
import { customEdits } from './table.ts'
import type { CustomEdit } from './views.ts'

/**
 * A repeated key returns the same request; other content throws `idempotency.reused`. Pictures are
 * copied first, then one transaction creates the request.
 */
export async function createCustomEdit(
  deps: Pick<
    Deps,
    'db' | 'store' | 'clock' | 'config' | 'withFolder' | 'spentCredits' | 'jobs' | 'notifier' | 'providers'
  >,
  { userId, key, input }: { userId: string; key: string; input: typeof createCustomEditInput.infer },
): Promise<{ row: CustomEdit; created: boolean }> {
  const { db, store, clock } = deps
  const whatsapp = parseWhatsapp(input.whatsapp)
  if (!whatsapp) throw appError('form.invalid', { details: { whatsapp: 'customEdit.whatsapp' } })
  const contentHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const known = await findByKey(db, userId, key)
  if (known) return { row: requireSameContent(known, contentHash), created: false }
  await requireAllowedAge(db, deps.config, { userId, now: clock(), adultsOnly: !input.onlyMyFace })
  await requireUnlimited(db, userId, clock())
  const { title, email, description, generationId = null, attachments = [] } = input
  await refuseWords(deps, { userId, tool: 'customize-edit', fields: { title, description } })
  // Counts withdrawn requests too.
  await limitRate(deps, [{ rule: 'custom_edits:create', subject: userId, limit: editsPerDay, seconds: 86_400 }])
  const taken = await generations.takeFiles(deps, userId, attachments)
  if (taken.some(({ contentType }) => !contentType.startsWith('image/'))) throw appError('upload.not_image')
  await generations.refuseUnsafePictures(deps, { userId, tool: 'customize-edit', files: taken })
  const isTold = await canMailDesigners(deps, userId)
  const now = clock()
  const id = uuid({ msecs: now.getTime() })
  const files = await storeFiles(deps, id, { role: 'attachment', files: taken, now })
  try {
    const done = await transact(db, async (tx) => {
      await holdAccount(tx, userId)
      const first = await findByKey(tx, userId, key)
      if (first) return { row: requireSameContent(first, contentHash), created: false }
      const open = and(eq(customEdits.userId, userId), inArray(customEdits.status, ['new', 'in_progress']))
      if ((await tx.$count(customEdits, open)) >= maxOpenEdits) throw appError('custom_edit.too_many_open')
      await uploads.requireSpace(deps, tx, { userId, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), now })
      const [row] = await tx
        .insert(customEdits)
        .values({
          id,
          userId,
          title,
          whatsapp,
          email,
          description,
          generationId,
          idempotencyKey: key,
          contentHash,
          createdAt: now,
          dueAt: addTime(now, { days: dueDays }),
        })
        // A concurrent transaction may have inserted the same key.
        .onConflictDoNothing({ target: [customEdits.userId, customEdits.idempotencyKey] })
        .returning()
      if (!row) {
        const other = await findByKey(tx, userId, key)
        if (!other) throw new Error('the custom edit with this key no longer exists')
        return { row: requireSameContent(other, contentHash), created: false }
      }
      await insertFiles(tx, userId, files, now)
      await uploads.markUploadsUsed(tx, { refs: attachments, by: row.id, now })
      await notifyRequestChange(tx, userId)
      if (isTold) await mailDesigners(tx, row)
      return { row, created: true }
    })
    if (!done.created) await store.delete(files.map(({ storageKey }) => storageKey)).catch(() => {})
    return done
  } catch (error) {
    // After a lost connection the outcome is unknown; unreferenced files are swept later.
    if (isRefusal(error)) await store.delete(files.map(({ storageKey }) => storageKey)).catch(() => {})
    throw error
  }
}

const isRefusal = (error: unknown) => error instanceof Error && 'code' in error && 'status' in error

function requireSameContent(row: CustomEdit, contentHash: string): CustomEdit {
  if (row.contentHash !== contentHash) throw appError('idempotency.reused')
  return row
}

async function findByKey(executor: Executor, userId: string, key: string): Promise<CustomEdit | undefined> {
  const mine = and(eq(customEdits.userId, userId), eq(customEdits.idempotencyKey, key))
  return (await executor.select().from(customEdits).where(mine))[0]
}
