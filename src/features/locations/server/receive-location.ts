import { join } from 'node:path'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { parseBoundedJson } from '#server/http/bounded-json.ts'
import { requireValid } from '#server/http/validate.ts'
import { probeLimits } from '#shared/media.ts'
import { newLocation } from '../schemas.ts'
import { addLocation } from './change-locations.ts'

const limits = {
  fields: ['location'],
  maxFiles: 1,
  filesBytes: probeLimits.bytes,
  fileBytes: () => probeLimits.bytes,
} as const

/** Reads a form with the JSON `location` and the file `file`. */
export async function receiveLocation(
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
