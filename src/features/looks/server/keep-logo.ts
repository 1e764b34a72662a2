import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { LogoView } from '../types.ts'
import { logos } from './table.ts'

export async function readLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<LogoView> {
  const [logo] = await db.select({ picture: logos.picture }).from(logos).where(eq(logos.userId, userId))
  return { picture: logo?.picture ?? null }
}

/** Saves the user's logo, replacing the previous one. */
export async function keepLogo(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  picture: string,
): Promise<void> {
  const changed = { picture, changedAt: clock() }
  await db
    .insert(logos)
    .values({ userId, ...changed })
    .onConflictDoUpdate({ target: logos.userId, set: changed })
}

export async function deleteLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await db.delete(logos).where(eq(logos.userId, userId))
}
