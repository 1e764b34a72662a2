import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { workOutbox } from '#server/outbox.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import type { PushDefinitions } from './push.ts'
import { sendPush } from './send-push.ts'
import { pushQueue, pushSettings, pushSubscriptions } from './table.ts'

const personalData: PersonalData = {
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

export const pushContributions = {
  personalData,
  work: (deps: Deps, definitions: PushDefinitions) =>
    workOutbox(deps, pushQueue, 4, (id) => sendPush(deps, definitions, id)),
}
