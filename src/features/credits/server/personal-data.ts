import { asc, eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { creditBalance } from './balance.ts'
import { ledgerEntries } from './table.ts'

/** The ledger stays under an anonymous id. */
export const personalData: PersonalData = {
  async *archive({ db, clock }, { userId }) {
    const entries = await db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.userId, userId))
      .orderBy(asc(ledgerEntries.id))
    yield jsonFile('ledger.json', {
      balance: await creditBalance(db, userId, clock()),
      entries: entries.map(({ userId: _, uniqueKey: __, ...entry }) => entry),
    })
  },
  async erase() {
    return []
  },
}
