import { join } from 'node:path'
import { paramsMaxBytes } from '#features/uploads/rules.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { appError } from '#server/http/app-error.ts'
import { parseBoundedJson } from '#server/http/bounded-json.ts'
import { previewMaxBytes } from '../../rules.ts'

/** The values are not validated yet; the files are in a local folder. */
export interface PreviewForm {
  params: Record<string, unknown>
  files: { input: string; name: string; path: string }[]
}

const limits = { fields: ['params'], maxFiles: 20, filesBytes: previewMaxBytes, fileBytes: () => previewMaxBytes }

/** Reads `params`, and writes files named after the tool's inputs to the folder. */
export async function readPreview(
  request: Request,
  { address, folder }: { address: string; folder: string },
): Promise<PreviewForm> {
  const own = { ...limits, sender: `visitor ${address}` }
  uploads.requireForm(request, own)
  const files: PreviewForm['files'] = []
  const { params } = await uploads.parseForm(request, own, async ({ field, name, chunks }) => {
    const path = join(folder, String(files.length))
    files.push({ input: field, name, path })
    await uploads.saveFormFile({ chunks }, path)
  })
  return { params: params === undefined ? {} : readParams(params), files }
}

function readParams(text: string): Record<string, unknown> {
  if (text.length > paramsMaxBytes) throw appError('params.invalid', { details: { params: 'params.too_long' } })
  const value = parseBoundedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw appError('params.invalid', { details: { params: 'params.object' } })
  }
  return value as Record<string, unknown>
}
