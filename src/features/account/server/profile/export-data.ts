import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeZip } from 'client-zip'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { users } from '#server/auth/table.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import type { ArchiveFile } from '#server/personal-data.ts'
import { brandName } from '#shared/brand.ts'

type Tools = Pick<AccountDeps, 'db' | 'store' | 'clock' | 'accountHooks'>

/** Streams a ZIP, built while being read and never stored as a whole. */
export async function exportData(
  deps: Tools,
  userId: string,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const [user] = await deps.db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  if (!user) throw appError('auth.expired')
  const now = deps.clock()
  const person = { userId, language: user.language }
  const name = `${brandName.toLowerCase()}-${now.toISOString().slice(0, 10)}.zip`
  return { name, body: makeZip(entries(deps, person, now), { buffersAreUTF8: true }) }
}

async function* entries(deps: Tools, person: Parameters<typeof archive>[1], now: Date) {
  for await (const { name, content, modified = now } of archive(deps, person)) {
    yield { name, input: content, lastModified: modified }
    // Yields to other requests: an archive can have many small files.
    await nextTurn()
  }
}

async function* archive(deps: Tools, person: { userId: string; language: 'id' | 'en' }): AsyncIterable<ArchiveFile> {
  yield { name: 'README.txt', content: `${translate(person.language, 'message.archive')}\n` }
  for (const part of deps.accountHooks.personalData) yield* part.archive(deps, person)
}
