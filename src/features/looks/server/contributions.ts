import { eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { readLogo } from './save-looks.ts'
import { logos, looks } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const { tool, name, params, changedAt } = looks
    const items = await db.select({ tool, name, params, changedAt }).from(looks).where(eq(looks.userId, userId))
    if (items.length > 0) yield jsonFile('looks.json', items)
    const { picture } = await readLogo({ db }, userId)
    if (picture) yield { name: 'logo.png', content: new Blob([pngOf(picture)]).stream() }
  },
  async erase(tx, { userId }) {
    await tx.delete(looks).where(eq(looks.userId, userId))
    await tx.delete(logos).where(eq(logos.userId, userId))
    return []
  },
}

const pngOf = (dataUrl: string) => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')

export const lookContributions = { personalData }
