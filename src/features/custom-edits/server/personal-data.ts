import { and, asc, eq, inArray } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { notifyRequestChange } from './events.ts'
import { deleteFiles } from './store-files.ts'
import { customEditFiles, customEditNotes, customEdits } from './table.ts'

export const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const mine = await db.select().from(customEdits).where(eq(customEdits.userId, userId)).orderBy(asc(customEdits.id))
    if (mine.length === 0) return
    const written = await db
      .select()
      .from(customEditNotes)
      .where(
        and(
          inArray(
            customEditNotes.customEditId,
            mine.map(({ id }) => id),
          ),
          eq(customEditNotes.shared, true),
        ),
      )
      .orderBy(asc(customEditNotes.id))
    yield jsonFile(
      'custom-edits/requests.json',
      mine.map(({ id, status, title, whatsapp, email, description, reason, createdAt, finishedAt }) => ({
        id,
        status,
        title,
        whatsapp,
        email,
        description,
        reason,
        createdAt,
        finishedAt,
        messages: written
          .filter(({ customEditId }) => customEditId === id)
          .map(({ authorId, text, createdAt: at }) => ({ mine: authorId === userId, text, at })),
      })),
    )
    const files = await db
      .select({ file: customEditFiles })
      .from(customEditFiles)
      .innerJoin(customEdits, eq(customEdits.id, customEditFiles.customEditId))
      .where(eq(customEdits.userId, userId))
    for (const { file } of files) {
      const stored = await store.stream(file.storageKey).catch(() => undefined)
      const name = `custom-edits/${file.customEditId}/${file.role}-${file.position}-${file.name}`
      if (stored) yield { name, content: stored.body, modified: file.createdAt }
    }
  },

  async erase(tx, { userId, now }) {
    const mine = tx.select({ id: customEdits.id }).from(customEdits).where(eq(customEdits.userId, userId))
    const keys = await deleteFiles(tx, inArray(customEditFiles.customEditId, mine), now)
    const gone = await tx.delete(customEdits).where(eq(customEdits.userId, userId)).returning({ id: customEdits.id })
    if (gone.length > 0) await notifyRequestChange(tx)
    return keys
  },
}
