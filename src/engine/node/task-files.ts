import type { Json } from '#contract/json.ts'
import type { Matte, Picture, Plane } from '../image/picture.ts'
import type { TaskName, TaskResult, TaskWork } from '../task-work.ts'
import { decodeLayer, encodeLayer } from './codecs.ts'

/** An encoded file; width and height in pixels. */
export interface TaskFile {
  /** The output's, layer's or part's name, or empty. */
  label: string
  /** Without a dot. */
  extension: string
  contentType: string
  bytes: Uint8Array
  width: number
  height: number
}

/**
 * The work or the result of a task on its way between processes: its pictures as files, the rest
 * as JSON.
 */
export interface EncodedTask {
  /** PNG, a picture in colours, a plane in grey; lists have `frames.0`, `frames.1` … */
  files: TaskFile[]
  data: { readonly [part: string]: Json }
}

type Layer = Picture | Plane | Matte

const isLayer = (value: unknown): value is Layer =>
  typeof value === 'object' && value !== null && 'data' in value && ArrayBuffer.isView(value.data)

/** Takes a work or a result apart. */
export async function encodeTask(parts: TaskWork[TaskName] | TaskResult[TaskName]): Promise<EncodedTask> {
  const layers: [string, Layer][] = []
  const data: Record<string, Json> = {}
  for (const [part, value] of Object.entries(parts)) {
    if (isLayer(value)) layers.push([part, value])
    else if (Array.isArray(value) && isLayer(value[0]))
      layers.push(...value.map((layer, i): [string, Layer] => [`${part}.${i}`, layer]))
    else if (value !== undefined) data[part] = value as Json
  }
  const files = layers.map(async ([label, layer]) => {
    const { width, height } = layer
    return { label, contentType: 'image/png', extension: 'png', bytes: await encodeLayer(layer), width, height }
  })
  return { files: await Promise.all(files), data }
}

/**
 * Puts together what {@link encodeTask} took apart. Rejects what is no picture; whether all parts
 * are there only the task can tell.
 */
export async function decodeTask<Parts>({
  files,
  data,
}: {
  files: readonly Pick<TaskFile, 'label' | 'bytes'>[]
  data: EncodedTask['data']
}): Promise<Parts> {
  const parts: Record<string, unknown> = { ...data }
  for (const { label, bytes } of files) {
    const layer = await decodeLayer(bytes)
    const [part = '', number] = label.split('.')
    if (number !== undefined) parts[part] = [...((parts[part] as unknown[]) ?? []), layer]
    // Numbers of classes, which a file holds as grey.
    else if (part === 'labels')
      parts[part] = { ...layer, data: Uint8Array.from(layer.data, (grey) => grey * 255 + 0.5) }
    else parts[part] = layer
  }
  return parts as Parts
}
