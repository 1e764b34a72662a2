import { Hono } from 'hono'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import { done } from '#server/http/done.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { jsonOnly, jsonOnlyOf, validJson } from '#server/http/validate.ts'
import { logoMaxCharacters } from '../rules.ts'
import type { LogoView, LookList, LookView } from '../schemas.ts'
import { logoInput, logoView, lookInput, lookList, lookView, renameInput } from '../schemas.ts'
import { deleteLogo, readLogo, saveLogo, type ThumbnailMaker } from './save-logo.ts'
import { deleteLook, listLooks, renameLook, saveLook } from './save-looks.ts'

export function lookRoutes(deps: Deps & ThumbnailMaker) {
  const user = requireUser(deps)
  const path = '/user/looks'
  const logo = '/user/logo'
  return new Hono<UserEnv>()
    .get(path, documented('List saved looks', respondsWith(200, 'The looks', lookList)), user, async (c) =>
      c.json<LookList>({ items: await listLooks(deps, c.var.user.id) }),
    )
    .put(
      path,
      documented('Save options under a name, replacing earlier ones', respondsWith(200, 'The look', lookView)),
      user,
      jsonOnly,
      validJson(lookInput),
      async (c) => c.json<LookView>(await saveLook(deps, c.var.user.id, c.req.valid('json'))),
    )
    .patch(
      `${path}/:id`,
      documented('Rename a look', respondsWith(204, 'Renamed')),
      user,
      jsonOnly,
      validJson(renameInput),
      async (c) => done(c, renameLook(deps, c.var.user.id, pathId(c, 'request.not_found'), c.req.valid('json').name)),
    )
    .get(logo, documented('Get the logo placed on results', respondsWith(200, 'The logo', logoView)), user, async (c) =>
      c.json<LogoView>(await readLogo(deps, c.var.user.id)),
    )
    .put(
      logo,
      documented('Save a logo, replacing the previous one', respondsWith(204, 'Saved')),
      user,
      jsonOnlyOf(logoMaxCharacters + 1024),
      validJson(logoInput),
      async (c) => done(c, saveLogo(deps, c.var.user.id, c.req.valid('json').picture)),
    )
    .delete(logo, documented('Delete the logo', respondsWith(204, 'Deleted')), user, async (c) =>
      done(c, deleteLogo(deps, c.var.user.id)),
    )
    .delete(`${path}/:id`, documented('Delete a look', respondsWith(204, 'Deleted')), user, async (c) =>
      done(c, deleteLook(deps, c.var.user.id, pathId(c, 'request.not_found'))),
    )
}
