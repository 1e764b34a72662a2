import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { selectInput } from '../../schemas.ts'
import { runTaskNow } from './run-task-now.ts'

/** Users do not wait longer for a tap. */
const timeoutMs = 30_000

/**
 * Returns a grey PNG of the picture's size, white inside the object. Throws `request.not_found`
 * without a model: then the device computes the selection.
 */
export async function selectObject(
  deps: Pick<Deps, 'db' | 'log' | 'providers'>,
  { picture, points }: typeof selectInput.infer,
  gone: AbortSignal,
): Promise<Uint8Array> {
  const bytes = Buffer.from(picture, 'base64')
  const file = { label: 'picture', extension: '', contentType: '', bytes, width: 0, height: 0 }
  const work = { files: [file], data: { points } }
  const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)])
  const [alpha] = (await runTaskNow(deps, { tool: '', task: 'selectObject', work }, signal))?.files ?? []
  if (!alpha) throw appError('request.not_found')
  return alpha.bytes
}
