import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { type AdminPresetList, type PresetList, presetInput } from '../schemas.ts'
import { readPresetHistory, readPresets, setPreset } from './read-presets.ts'

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
