import { eq } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { Profile } from '../contract.ts'
import { users } from './table.ts'

/** The signed-in user as the profile page shows it. */
export async function readProfile({ db }: Pick<Deps, 'db'>, userId: string): Promise<Profile> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  return profileOf(user)
}

/** Sets the language of mails to the user. */
export async function changeLanguage({ db }: Pick<Deps, 'db'>, userId: string, language: Language): Promise<Profile> {
  const [user] = await db.update(users).set({ language }).where(eq(users.id, userId)).returning()
  return profileOf(user)
}

function profileOf(user: typeof users.$inferSelect | undefined): Profile {
  if (!user) throw appError('auth.expired')
  const { id, name, email, role, language, createdAt } = user
  return { id, name, email, role, language, createdAt: createdAt.toISOString() }
}
