import sharp from 'sharp'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { SentTask, TaskRequest } from './provider.ts'

export const maxResultBytes = 60_000_000
const maxResultPixels = 100_000_000
/** Largest relative deviation of a side from the request for aligned results. */
const maxSizeDeviation = 0.03

/** Part of a task's result that is one picture. */
export const resultPart: { readonly [Task in TaskName]?: 'picture' | 'alpha' | 'depth' } = {
  subjectMatte: 'alpha',
  selectObject: 'alpha',
  inpaint: 'picture',
  upscale: 'picture',
  restoreFaces: 'picture',
  colorize: 'picture',
  background: 'picture',
  portrait: 'picture',
  outfit: 'picture',
  cartoon: 'picture',
  edit: 'picture',
  restorePhoto: 'picture',
  addDetail: 'picture',
  depth: 'depth',
}

export class WrongResult extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongResult'
  }
}

/**
 * Re-encodes as a PNG of the requested size, without prompts and graphs. Throws {@link
 * WrongResult}.
 */
export async function normalizeResult(bytes: Uint8Array, { task, width, height }: SentTask): Promise<EncodedTask> {
  const part = resultPart[task]
  if (!part) throw new WrongResult(`no picture is the result of ${task}`)
  const options = { limitInputPixels: maxResultPixels, failOn: 'error' } as const
  try {
    const made = await sharp(bytes, options).metadata()
    if (!['png', 'jpeg', 'webp'].includes(made.format) || (made.pages ?? 1) > 1)
      throw new WrongResult(`a picture was expected, not ${made.format}`)
    let picture = sharp(bytes, options).autoOrient().toColourspace('srgb')
    if (width && height) {
      const stretch = (made.width * height) / (made.height * width)
      if (task !== 'background' && Math.abs(Math.log(stretch)) > maxSizeDeviation)
        throw new WrongResult(`a result of ${made.width} × ${made.height} where ${width} × ${height} was asked for`)
      picture = picture.resize(width, height, { fit: task === 'background' ? 'cover' : 'fill' })
    }
    picture = part === 'picture' ? picture.flatten({ background: '#fff' }) : picture.removeAlpha().toColourspace('b-w')
    const { data, info } = await picture.png({ compressionLevel: 3 }).toBuffer({ resolveWithObject: true })
    const file = { label: part, extension: 'png', contentType: 'image/png', bytes: new Uint8Array(data) }
    return { files: [{ ...file, width: info.width, height: info.height }], data: {} }
  } catch (error) {
    throw error instanceof WrongResult ? error : new WrongResult('what came back is no picture')
  }
}

/** Tasks whose result aligns with the pixels of its input. */
const alignedTasks: readonly TaskName[] = [
  'subjectMatte',
  'selectObject',
  'inpaint',
  'upscale',
  'addDetail',
  'restoreFaces',
  'colorize',
  'depth',
]

/** Undefined for any size. */
export function resultSize({ task, files, data }: Pick<TaskRequest, 'task' | 'files' | 'data'>) {
  if (task === 'background') return { width: Number(data.width), height: Number(data.height) }
  const picture = files.find(({ label }) => label === 'picture')
  if (!picture || !alignedTasks.includes(task)) return undefined
  const factor = task === 'upscale' || task === 'addDetail' ? Number(data.factor) : 1
  return { width: picture.width * factor, height: picture.height * factor }
}
