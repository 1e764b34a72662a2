import { paramsMaxBytes } from '#features/uploads/contract.ts'
import { AppError } from '#server/http/app-error.ts'
import { parseBoundedJson, readBytes } from '#server/http/bounded-json.ts'
import type { AnyTool } from '#tools/tool.ts'
import { previewMaxBytes } from '../../rules.ts'

/** What a visitor wants to see, as it came. */
export interface PreviewRequest {
  tool: AnyTool
  params: Record<string, unknown>
  files: { input: string; name: string; bytes: Uint8Array<ArrayBuffer> }[]
}

const maxFiles = 20

/** Reads the small multipart form of a preview: `params` and files under the names of the tool's inputs. */
export async function readPreview(request: Request, tool: AnyTool): Promise<PreviewRequest> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new AppError('request.content_type')
  const body = await readBytes(request, previewMaxBytes + paramsMaxBytes)
  const form = await new Response(body, { headers: { 'content-type': contentType } })
    .formData()
    .catch((error: unknown) => {
      throw new AppError('request.malformed', { cause: error })
    })
  const files: PreviewRequest['files'] = []
  let params: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (name !== 'params') throw new AppError('form.invalid', { details: { [name.slice(0, 100)]: 'form.invalid' } })
      params = readParams(value)
    } else if (files.length === maxFiles) throw new AppError('upload.too_many')
    else files.push({ input: name, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return { tool, params, files }
}

function readParams(text: string): Record<string, unknown> {
  if (text.length > paramsMaxBytes) throw new AppError('params.invalid', { details: { params: 'params.too_long' } })
  const value = parseBoundedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('params.invalid', { details: { params: 'params.object' } })
  }
  return value as Record<string, unknown>
}
