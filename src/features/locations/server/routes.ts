import { join } from 'node:path'
import { formBody, formErrors, uploads } from '#features/uploads/server/uploads.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { file, route } from '#server/http/route.ts'
import { parseBoundedJson, requireValid } from '#server/http/validate.ts'
import { probeLimits } from '#shared/media.ts'
import { adminLocations, changedLocation, newLocation, offeredLocations } from '../schemas.ts'
import { addLocation, changeLocation, removeLocation } from './change-locations.ts'
import { listForAdmin, listOffered, sampleKey } from './locations.ts'

const limits = {
  fields: ['location'],
  maxFiles: 1,
  filesBytes: probeLimits.bytes,
  fileBytes: () => probeLimits.bytes,
} as const

/** Reads a form with the JSON `location` and the file `file`. */
async function receiveLocation(
  deps: Pick<Deps, 'db' | 'clock' | 'store' | 'engine' | 'withFolder'>,
  request: Request,
  adminId: string,
): Promise<void> {
  const own = { ...limits, sender: adminId }
  uploads.requireForm(request, own)
  await deps.withFolder(async (folder) => {
    const path = join(folder, 'location')
    let bytes = 0
    const { location = '{}' } = await uploads.parseForm(request, own, async (file) => {
      bytes = await uploads.saveFormFile(file, path)
    })
    const given = requireValid(newLocation, parseBoundedJson(location))
    if (bytes === 0) throw appError('upload.empty', { details: { file: 'upload.empty' } })
    await addLocation(deps, adminId, { ...given, path })
  })
}

const fileErrors = [
  'upload.not_scene',
  'upload.unreadable',
  'upload.not_panorama',
  'upload.probe_size',
  'upload.too_many_pixels',
  'upload.too_small',
  'upload.animated',
] as const
const list = ['The locations', adminLocations] as const

export function locationRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'shop')
  const all = async () => ({ items: await listForAdmin(deps.db) })
  return [
    route('listLocations', 'GET /locations', 'visitor', {
      summary: 'List the locations that the operator has added to the scenes',
      output: { 200: ['The locations', offeredLocations] },
      handler: async () => ({ items: await listOffered(deps.db) }),
    }),
    route('getLocationPicture', 'GET /locations/:version/picture', 'visitor', {
      summary: 'Get a sample of a location',
      output: { 200: file('The picture', 'image/webp') },
      errors: ['file.not_found'],
      handler: async (c) => {
        const version = c.req.param('version')
        if (!/^[1-9]\d{0,14}$/.test(version)) throw appError('file.not_found')
        const { body, bytes } = await deps.store.stream(await sampleKey(deps.db, Number(version)))
        return c.body(body, 200, {
          'content-type': 'image/webp',
          'content-length': String(bytes),
          'cache-control': 'public, max-age=31536000, immutable',
        })
      },
    }),
    route('listAllLocations', 'GET /admin/locations', admin, {
      summary: 'List all added locations',
      output: { 200: list },
      handler: all,
    }),
    route('addLocation', 'POST /admin/locations', admin, {
      summary: 'Add a location from a light probe (OpenEXR, Radiance) or a photograph',
      body: formBody(),
      output: { 200: list },
      errors: [...formErrors, ...fileErrors, 'form.invalid'],
      handler: async (c) => {
        await receiveLocation(deps, c.req.raw, c.var.user.id)
        return all()
      },
    }),
    route('changeLocation', 'PUT /admin/locations/:id', admin, {
      summary: 'Change the texts of a location, or stop offering it',
      input: { json: changedLocation },
      output: { 200: list },
      errors: ['request.not_found', 'change.outdated'],
      handler: async (c) => {
        await changeLocation(deps, c.var.user.id, c.req.param('id'), c.req.valid('json'))
        return all()
      },
    }),
    route('removeLocation', 'DELETE /admin/locations/:id', admin, {
      summary: 'Remove a location; results made with it stay',
      output: { 200: list },
      errors: ['request.not_found'],
      handler: async (c) => {
        await removeLocation(deps, c.var.user.id, c.req.param('id'))
        return all()
      },
    }),
  ]
}
