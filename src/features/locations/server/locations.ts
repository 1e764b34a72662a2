import { asc, desc, eq, inArray } from 'drizzle-orm'
import type { AddedLocation } from '#engine/scenes.ts'
import { phraseOf } from '#engine/tasks/background/index.ts'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { OfferedLocation } from '#tools/contract/schemas.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { AdminLocation } from '../schemas.ts'
import { locations } from './table.ts'

export type LocationRow = typeof locations.$inferSelect

/**
 * Oldest first, without removed ones. Each request reads them anew, so every process sees a change.
 */
export async function currentLocations(executor: Executor): Promise<LocationRow[]> {
  const newest = await executor
    .selectDistinctOn([locations.id])
    .from(locations)
    .orderBy(asc(locations.id), desc(locations.version))
  return newest.filter(({ removed }) => !removed).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

function asAdded({ id, version, record, kind, exposure }: LocationRow): AddedLocation {
  const { name, words } = record
  const names = [name.id, name.en].map(phraseOf)
  return { id, version, name, words: [...new Set([...words.id, ...words.en, ...names])], kind, exposure }
}

async function offeredLocations(executor: Executor): Promise<AddedLocation[]> {
  return (await currentLocations(executor)).filter(({ active }) => active).map(asAdded)
}

const pictureOf = (version: number) => `/api/locations/${version}/picture`

export async function listOffered(executor: Executor): Promise<OfferedLocation[]> {
  return (await offeredLocations(executor)).map((location) => ({ ...location, picture: pictureOf(location.version) }))
}

export async function listForAdmin(executor: Executor): Promise<AdminLocation[]> {
  return (await currentLocations(executor)).map(({ id, version, record, kind, width, height, active, createdAt }) => ({
    id,
    version,
    name: record.name,
    words: { id: record.words.id.join(', '), en: record.words.en.join(', ') },
    licence: record.licence,
    source: record.source,
    kind,
    width,
    height,
    active,
    picture: pictureOf(version),
    at: createdAt.toISOString(),
  }))
}

/**
 * Writes the named locations with their version into the parameters. A generation that is rendered
 * again passes those it has: it keeps their versions, even of locations that are no longer offered.
 * Throws `tool.scene_removed` for one that does not exist.
 */
export async function fillInLocations(
  executor: Executor,
  tool: Pick<AnyTool, 'locations'>,
  { locations: _, ...params }: Record<string, unknown>,
  kept?: unknown,
): Promise<Record<string, unknown>> {
  if (!tool.locations) return params
  const own = (kept ?? []) as AddedLocation[]
  const offered = kept === undefined ? await offeredLocations(executor) : own
  const ids = tool.locations(params, offered)
  const known = ids.every((id) => offered.some((location) => location.id === id))
  const all = known ? offered : [...own, ...(await offeredLocations(executor))]
  const named = ids.map((id) => all.find((location) => location.id === id))
  if (named.includes(undefined)) throw appError('tool.scene_removed')
  return named.length > 0 ? { ...params, locations: named } : params
}

export interface StoredLocation extends Pick<AddedLocation, 'id' | 'version' | 'exposure'> {
  storageKey: string
}

/** Files of the locations that parameters name; those of removed locations remain a while. */
export async function locationFiles(executor: Executor, params: unknown): Promise<StoredLocation[]> {
  const { locations: named = [] } = params as { locations?: AddedLocation[] }
  if (named.length === 0) return []
  const { id, version, exposure, fileKey: storageKey } = locations
  const versions = named.map((location) => location.version)
  const rows = await executor
    .select({ id, version, exposure, storageKey })
    .from(locations)
    .where(inArray(version, versions))
  if (rows.length < new Set(versions).size) throw appError('tool.scene_removed')
  return rows
}

/** Storage key of a version's sample. */
export async function sampleKey(executor: Executor, wanted: number): Promise<string> {
  const { version, sampleKey: key } = locations
  const [row] = await executor.select({ key }).from(locations).where(eq(version, wanted))
  if (!row) throw appError('file.not_found')
  return row.key
}
