import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, count, desc, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { uploads } from '#features/uploads/server/uploads.ts'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { ageErrors, requireAllowedAge } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { advisoryLock, isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { addTime } from '#shared/time.ts'
import { findTool } from '#tools/contract/tool.ts'
import { logoMaxCharacters, maxLooks } from '../rules.ts'
import {
  type LogoView,
  type LookInput,
  type LookView,
  logoInput,
  logoView,
  lookInput,
  lookList,
  lookView,
  renameInput,
} from '../schemas.ts'
import { logos, looks } from './table.ts'

const { id, tool, name, params } = looks

/** Last changed first. */
const listLooks = ({ db }: Pick<Deps, 'db'>, userId: string): Promise<LookView[]> =>
  db.select({ id, tool, name, params }).from(looks).where(eq(looks.userId, userId)).orderBy(desc(looks.changedAt))

/** Replaces options of the same name. */
async function saveLook(
  { db, clock, tools }: Pick<Deps, 'db' | 'clock' | 'tools'>,
  userId: string,
  given: LookInput,
): Promise<LookView> {
  const contract = findTool(tools, given.tool)
  if (!contract) throw appError('form.invalid', { details: { tool: 'form.invalid' } })
  const parsed = contract.parseParams(given.params)
  if (!parsed.ok) throw appError('form.invalid', { details: parsed.problems })
  const ofPictures = new Set<string>(contract.pictureParams)
  const params = Object.fromEntries(Object.entries(given.params).filter(([name]) => !ofPictures.has(name)))
  return await transact(db, async (tx) => {
    await advisoryLock(tx, `looks:${userId}`)
    const same = and(eq(looks.userId, userId), eq(tool, given.tool), eq(name, given.name))
    const changed = { params, changedAt: clock() }
    const [known] = await tx.update(looks).set(changed).where(same).returning({ id })
    if (known) return { ...given, params, id: known.id }
    const [held] = await tx.select({ count: count() }).from(looks).where(eq(looks.userId, userId))
    if ((held?.count ?? 0) >= maxLooks) throw appError('look.too_many')
    const row = { id: uuid(), userId, tool: given.tool, name: given.name, ...changed }
    await tx.insert(looks).values(row)
    return { ...given, params, id: row.id }
  })
}

const own = (userId: string, lookId: string) => and(eq(looks.userId, userId), eq(id, lookId))

async function renameLook({ db }: Pick<Deps, 'db'>, userId: string, lookId: string, to: string): Promise<void> {
  try {
    const renamed = await db.update(looks).set({ name: to }).where(own(userId, lookId)).returning({ id })
    if (renamed.length === 0) throw appError('request.not_found')
  } catch (error) {
    if (!isUniqueViolation(error, 'one_look_per_name')) throw error
    throw appError('form.invalid', { details: { name: 'look.nameTaken' } })
  }
}

/** Idempotent: the answer to an earlier request may have been lost. */
async function deleteLook({ db }: Pick<Deps, 'db'>, userId: string, lookId: string): Promise<void> {
  await db.delete(looks).where(own(userId, lookId))
}

interface ThumbnailMaker {
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
const keptHours = 1

/**
 * An engine thread decodes it whole; returns the picture without metadata. Throws the refusal, or
 * `server.unavailable` without a worker. Nothing stays stored.
 */
async function checkLogo(deps: LogoDeps, userId: string, picture: string): Promise<string> {
  const { db, store, clock, withFolder } = deps
  const folder = `logos/${crypto.randomUUID()}/`
  const storageKey = `${folder}picture`
  const now = clock()
  const deleteAt = addTime(now, { hours: keptHours })
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

async function readLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<LogoView> {
  const [logo] = await db.select({ picture: logos.picture }).from(logos).where(eq(logos.userId, userId))
  return { picture: logo?.picture ?? null }
}

/** Replaces the previous logo. */
async function saveLogo(deps: LogoDeps & Pick<Deps, 'config'>, userId: string, given: string): Promise<void> {
  await requireAllowedAge(deps.db, deps.config, { userId, now: deps.clock() })
  await limitRate(deps, [{ rule: 'logo', subject: userId, limit: 60, seconds: 3600 }])
  const picture = await checkLogo(deps, userId, given)
  const changed = { picture, changedAt: deps.clock() }
  await deps.db
    .insert(logos)
    .values({ userId, ...changed })
    .onConflictDoUpdate({ target: logos.userId, set: changed })
}

async function deleteLogo({ db }: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await db.delete(logos).where(eq(logos.userId, userId))
}

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

export function lookRoutes(deps: Deps & ThumbnailMaker) {
  const user = requireUser(deps)
  return [
    route('listLooks', 'GET /user/looks', user, {
      summary: 'List saved looks',
      output: { 200: ['The looks', lookList] },
      handler: async (c) => ({ items: await listLooks(deps, c.var.user.id) }),
    }),
    route('saveLook', 'PUT /user/looks', user, {
      summary: 'Save options under a name, replacing earlier ones',
      input: { json: lookInput },
      output: { 200: ['The look', lookView] },
      errors: ['look.too_many'],
      handler: (c) => saveLook(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('renameLook', 'PATCH /user/looks/:id', user, {
      summary: 'Rename a look',
      input: { json: renameInput },
      output: { 204: 'Renamed' },
      errors: ['request.not_found'],
      handler: (c) => renameLook(deps, c.var.user.id, pathId(c, 'request.not_found'), c.req.valid('json').name),
    }),
    route('readLogo', 'GET /user/logo', user, {
      summary: 'Get the logo placed on results',
      output: { 200: ['The logo', logoView] },
      handler: (c) => readLogo(deps, c.var.user.id),
    }),
    route('saveLogo', 'PUT /user/logo', user, {
      summary: 'Save a logo, replacing the previous one',
      input: { json: logoInput },
      maxBytes: logoMaxCharacters + 1024,
      output: { 204: 'Saved' },
      errors: ['request.rate_limited', 'upload.not_image', ...ageErrors],
      handler: (c) => saveLogo(deps, c.var.user.id, c.req.valid('json').picture),
    }),
    route('deleteLogo', 'DELETE /user/logo', user, {
      summary: 'Delete the logo',
      output: { 204: 'Deleted' },
      handler: (c) => deleteLogo(deps, c.var.user.id),
    }),
    route('deleteLook', 'DELETE /user/looks/:id', user, {
      summary: 'Delete a look',
      output: { 204: 'Deleted' },
      errors: ['request.not_found'],
      handler: (c) => deleteLook(deps, c.var.user.id, pathId(c, 'request.not_found')),
    }),
  ]
}
