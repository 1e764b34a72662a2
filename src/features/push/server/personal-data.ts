import { eq } from 'drizzle-orm'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { pushSettings, pushSubscriptions } from './table.ts'

export const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const devices = await db
      .select({ endpoint: pushSubscriptions.endpoint, createdAt: pushSubscriptions.createdAt })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
    const [settings] = await db.select().from(pushSettings).where(eq(pushSettings.userId, userId))
    const services = devices.map(({ endpoint, createdAt }) => ({ service: new URL(endpoint).host, createdAt }))
    if (devices.length > 0 || settings)
      yield jsonFile('notifications.json', { devices: services, muted: settings?.muted ?? [] })
  },
  async erase(tx, { userId }) {
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
    await tx.delete(pushSettings).where(eq(pushSettings.userId, userId))
    return []
  },
}
