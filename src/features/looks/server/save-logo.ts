import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import type { LogoView } from '../types.ts'
import { checkLogo, type LogoDeps } from './check-logo.ts'
import { logos } from './table.ts'

export async function readLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<LogoView> {
  const [logo] = await db.select({ picture: logos.picture }).from(logos).where(eq(logos.userId, userId))
  return { picture: logo?.picture ?? null }
}

/** Replaces the previous logo. */
export async function saveLogo(deps: LogoDeps & Pick<Deps, 'config'>, userId: string, given: string): Promise<void> {
  await limitRate(deps, [{ rule: 'logo', subject: userId, limit: 60, seconds: 3600 }])
  const picture = await checkLogo(deps, userId, given)
  const changed = { picture, changedAt: deps.clock() }
  await deps.db
    .insert(logos)
    .values({ userId, ...changed })
    .onConflictDoUpdate({ target: logos.userId, set: changed })
}

export async function deleteLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await db.delete(logos).where(eq(logos.userId, userId))
}
