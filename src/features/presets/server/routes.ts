import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import { type AdminPresetList, type PresetList, presetInput } from '../schemas.ts'
import { readPresetHistory, readPresets } from './read-presets.ts'
import { setPreset } from './set-preset.ts'

export function presetRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'shop')
  const path = '/admin/passport_presets'
  return new Hono<UserEnv>()
    .get(
      '/passport_presets',
      documented('List available passport photo presets', respondsWith(200, 'The presets'), {
        security: [],
      }),
      async (c) => {
        const offered = (await readPresets(deps.db)).filter(({ active }) => active)
        const items = offered.map(({ active: _, position: __, version: ___, ...preset }) => preset)
        return c.json<PresetList>({ items })
      },
    )
    .get(path, documented('List all presets with their history', respondsWith(200, 'The presets')), admin, async (c) =>
      c.json<AdminPresetList>({ items: await readPresetHistory(deps.db) }),
    )
    .put(
      `${path}/:id`,
      documented('Create or update a preset', respondsWith(200, 'The presets')),
      admin,
      jsonOnly,
      validJson(presetInput),
      async (c) => {
        await setPreset(deps, c.var.user.id, c.req.param('id'), c.req.valid('json'))
        return c.json<AdminPresetList>({ items: await readPresetHistory(deps.db) })
      },
    )
}
