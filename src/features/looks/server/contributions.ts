import { eq } from 'drizzle-orm'
import { ageErrors } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { logoMaxCharacters } from '../rules.ts'
import { logoInput, logoView, lookInput, lookList, lookView, renameInput } from '../schemas.ts'
import {
  deleteLogo,
  deleteLook,
  listLooks,
  readLogo,
  renameLook,
  saveLogo,
  saveLook,
  type ThumbnailMaker,
} from './save-looks.ts'
import { logos, looks } from './table.ts'

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
