import { eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { sharedResults } from './table.ts'

export const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const links = await db
      .select({
        generationId: sharedResults.generationId,
        position: sharedResults.position,
        withOriginal: sharedResults.withOriginal,
        openings: sharedResults.openings,
        createdAt: sharedResults.createdAt,
        expiresAt: sharedResults.expiresAt,
      })
      .from(sharedResults)
      .where(eq(sharedResults.userId, userId))
    if (links.length > 0) yield jsonFile('shared-links.json', links)
  },
  async erase(tx, { userId }) {
    await tx.delete(sharedResults).where(eq(sharedResults.userId, userId))
    return []
  },
}
