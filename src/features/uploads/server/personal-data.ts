import { asc, eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { dropFiles } from './stored-files.ts'
import { uploads } from './table.ts'
import { contentKey, folderOf } from './upload-files.ts'

export const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const mine = await db.select().from(uploads).where(eq(uploads.userId, userId)).orderBy(asc(uploads.id))
    if (mine.length === 0) return
    yield jsonFile(
      'uploads/uploads.json',
      mine.map(({ userId: _, parts: __, ...upload }) => upload),
    )
    for (const { id, status, name, createdAt: modified } of mine) {
      if (status !== 'ready') continue
      // The upload may expire while the archive is being read.
      const file = await store.stream(contentKey(id)).catch(() => undefined)
      if (file) yield { name: `uploads/${id}-${name}`, content: file.body, modified }
    }
  },

  async erase(tx, { userId, now }) {
    const gone = await tx.delete(uploads).where(eq(uploads.userId, userId)).returning({ id: uploads.id })
    return await dropFiles(
      tx,
      gone.map(({ id }) => ({ storageKey: folderOf(id) })),
      now,
    )
  },
}
