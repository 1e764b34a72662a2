import { eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { looks } from './table.ts'

/** The options that a person keeps under names. */
export const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const { tool, name, params, changedAt } = looks
    const items = await db.select({ tool, name, params, changedAt }).from(looks).where(eq(looks.userId, userId))
    if (items.length > 0) yield jsonFile('looks.json', items)
  },
  async erase(tx, { userId }) {
    await tx.delete(looks).where(eq(looks.userId, userId))
    return []
  },
}
