import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { deleteExpiredLinks } from './share-result.ts'
import { sharedResults } from './table.ts'

const personalData: PersonalData = {
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

export const sharedResultContributions = {
  personalData,
  work: (deps: Deps) => deps.jobs.every('forget-shared-results', 3600, () => deleteExpiredLinks(deps)),
}
