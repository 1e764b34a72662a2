import { desc } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import { passportPresets as builtIn } from '#tools/passport-photo/contract/presets.ts'
import type { AdminPreset } from '../schemas.ts'
import { passportPresets } from './table.ts'

const kept = 30

type Current = Omit<AdminPreset, 'history'>

const asBuiltIn = (preset: PassportPreset, index: number): Current => ({
  ...preset,
  position: 10 * (index + 1),
  active: true,
  version: 0,
})
const inOrder = (a: Current, b: Current) => a.position - b.position || a.id.localeCompare(b.id)

export async function readPresets(executor: Executor): Promise<Current[]> {
  const newest = await executor
    .selectDistinctOn([passportPresets.id])
    .from(passportPresets)
    .orderBy(passportPresets.id, desc(passportPresets.version))
  const set = newest.map(({ id, preset, position, active, version }) => ({ ...preset, id, position, active, version }))
  const untouched = builtIn.map(asBuiltIn).filter(({ id }) => !set.some((row) => row.id === id))
  return [...set, ...untouched].sort(inOrder)
}

/** Starts with the built-in preset. */
export async function readPresetHistory(executor: Executor): Promise<AdminPreset[]> {
  const [now, versions] = [
    await readPresets(executor),
    await executor.select().from(passportPresets).orderBy(desc(passportPresets.version)),
  ]
  return now.map((current) => ({
    ...current,
    history: versions
      .filter(({ id }) => id === current.id)
      .slice(0, kept)
      .map(({ id, preset, position, active, createdAt, createdBy }) => ({
        ...preset,
        id,
        position,
        active,
        by: createdBy,
        at: createdAt.toISOString(),
      })),
  }))
}
