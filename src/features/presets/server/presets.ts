import { desc } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Executor } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { route } from '#server/http/route.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import { passportPresets as builtIn } from '#tools/passport-photo/contract/presets.ts'
import { presetId } from '../rules.ts'
import { type AdminPreset, type AdminPresetList, type PresetInput, type PresetList, presetInput } from '../schemas.ts'
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

async function readPresets(executor: Executor): Promise<Current[]> {
  const newest = await executor
    .selectDistinctOn([passportPresets.id])
    .from(passportPresets)
    .orderBy(passportPresets.id, desc(passportPresets.version))
  const set = newest.map(({ id, preset, position, active, version }) => ({ ...preset, id, position, active, version }))
  const untouched = builtIn.map(asBuiltIn).filter(({ id }) => !set.some((row) => row.id === id))
  return [...set, ...untouched].sort(inOrder)
}

/** Starts with the built-in preset. */
async function readPresetHistory(executor: Executor): Promise<AdminPreset[]> {
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

/** Existing photos keep their rule. */
async function setPreset(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  adminId: string,
  id: string,
  { version, position, active, ...preset }: PresetInput,
): Promise<void> {
  if (!presetId.test(id)) throw appError('form.invalid', { details: { id: 'form.invalid' } })
  const now = clock()
  await transact(db, async (tx) => {
    await advisoryLock(tx, `passport_preset:${id}`)
    const found = (await readPresets(tx)).find((current) => current.id === id)
    // A new preset has no version that could have been read.
    const made = found && !builtIn.some((other) => other.id === id)
    if (made && version === 0) throw appError('form.invalid', { details: { id: 'preset.idTaken' } })
    requireVersion(version, found?.version ?? 0)
    await tx.insert(passportPresets).values({ id, preset, position, active, createdAt: now, createdBy: adminId })
    const { version: _, ...before } = found ?? { version: 0 }
    const subject = { kind: 'passport_preset', id }
    const after = { ...preset, position, active }
    await audit(tx, { actor: adminId, action: 'preset.changed', subject, ...(found && { before }), after, now })
  })
}

type Params = Record<string, unknown>

/** With the current rules of the presets that the parameters name. */
export async function fillInPresets(executor: Executor, { presets }: AnyTool, params: Params): Promise<Params> {
  if (!presets) return params
  const rules = new Map((await readPresets(executor)).map(({ id, rule }) => [id, rule]))
  return presets.fillIn(params, (name) => rules.get(name)) as Params
}

export function presetRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'shop')
  return [
    route('listPresets', 'GET /passport_presets', 'visitor', {
      summary: 'List available passport photo presets',
      output: { 200: 'The presets' },
      handler: async (c) => {
        const offered = (await readPresets(deps.db)).filter(({ active }) => active)
        const items = offered.map(({ active: _, position: __, version: ___, ...preset }) => preset)
        return c.json<PresetList>({ items })
      },
    }),
    route('listAllPresets', 'GET /admin/passport_presets', admin, {
      summary: 'List all presets with their history',
      output: { 200: 'The presets' },
      handler: async (c) => c.json<AdminPresetList>({ items: await readPresetHistory(deps.db) }),
    }),
    route('setPreset', 'PUT /admin/passport_presets/:id', admin, {
      summary: 'Create or update a preset',
      input: { json: presetInput },
      output: { 200: 'The presets' },
      handler: async (c) => {
        await setPreset(deps, c.var.user.id, c.req.param('id'), c.req.valid('json'))
        return c.json<AdminPresetList>({ items: await readPresetHistory(deps.db) })
      },
    }),
  ]
}
