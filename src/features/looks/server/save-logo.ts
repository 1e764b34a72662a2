import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import type { LogoView } from '../schemas.ts'
import { logos } from './table.ts'

export interface ThumbnailMaker {
  /** Makes an engine thread decode the stored picture. */
  makeThumbnail(
    deps: Pick<Deps, 'jobs' | 'notifier'>,
    picture: Awaited<ReturnType<typeof uploads.storeChecked>> & { storageKey: string },
    storageKey: string,
  ): Promise<void>
}

type LogoDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'jobs' | 'notifier' | 'withFolder'> & ThumbnailMaker

const prefix = 'data:image/png;base64,'
/** No request waits any longer if its server has ended. */
const keptMilliseconds = 3_600_000

/**
 * An engine thread decodes it whole; returns the picture without metadata. Throws the refusal, or
 * `server.unavailable` without a worker. Nothing stays stored.
 */
async function checkLogo(deps: LogoDeps, userId: string, picture: string): Promise<string> {
  const { db, store, clock, withFolder } = deps
  const folder = `logos/${crypto.randomUUID()}/`
  const storageKey = `${folder}picture`
  const now = clock()
  const deleteAt = new Date(now.getTime() + keptMilliseconds)
  await uploads.announceFiles(db, { files: [{ storageKey: folder, bytes: 0 }], now, deleteAt })
  try {
    const checked = await withFolder(async (local) => {
      const source = join(local, 'logo')
      await writeFile(source, Buffer.from(picture.slice(prefix.length), 'base64'))
      return await uploads.storeChecked(deps, { source, kept: storageKey, owner: userId })
    })
    if (checked.contentType !== 'image/png') throw appError('upload.not_image')
    await deps.makeThumbnail(deps, { ...checked, storageKey }, `${folder}small`)
    return prefix + Buffer.from(await store.get(storageKey)).toString('base64')
  } finally {
    await store.delete([folder]).catch(() => {})
  }
}

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
