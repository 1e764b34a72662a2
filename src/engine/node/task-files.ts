import { readFile } from 'node:fs/promises'
import type { Json } from '#shared/schema.ts'
import type { Matte, Picture, Plane, VideoSource } from '../image/picture.ts'
import type { TaskInput, TaskName, TaskResult } from '../task-types.ts'
import { decodeLayer, encodeLayer } from './codecs.ts'

/** Width and height are in pixels. */
export interface TaskFile {
  label: string
  /** Without a dot. */
  extension: string
  contentType: string
  bytes: Uint8Array
  width: number
  height: number
}

export interface EncodedTask {
  /** Pictures as colour PNG, planes as grey PNG, videos unchanged. */
  files: TaskFile[]
  data: { readonly [part: string]: Json }
}

type Layer = Picture | Plane | Matte

const isLayer = (value: unknown): value is Layer =>
  typeof value === 'object' && value !== null && 'data' in value && ArrayBuffer.isView(value.data)

const video = 'video/'
const isVideo = (value: unknown): value is VideoSource =>
  typeof value === 'object' && value !== null && 'contentType' in value

export async function encodeTask(parts: TaskInput[TaskName] | TaskResult[TaskName]): Promise<EncodedTask> {
  const files: TaskFile[] = []
  const data: Record<string, Json> = {}
  for (const [label, value] of Object.entries(parts)) {
    if (isLayer(value)) {
      const { width, height } = value
      const bytes = await encodeLayer(value)
      files.push({ label, contentType: 'image/png', extension: 'png', bytes, width, height })
    } else if (isVideo(value)) {
      const { contentType } = value
      const bytes = 'path' in value ? await readFile(value.path) : value.file
      files.push({ label, contentType, extension: contentType.slice(video.length), bytes, width: 0, height: 0 })
    } else if (value !== undefined) data[label] = value as Json
  }
  return { files, data }
}

/** Rejects broken pictures; the caller must check that all parts are present. */
export async function decodeTask<Parts>({
  files,
  data,
}: {
  files: readonly Pick<TaskFile, 'label' | 'contentType' | 'bytes'>[]
  data: EncodedTask['data']
}): Promise<Parts> {
  const parts: Record<string, unknown> = { ...data }
  for (const { label, contentType, bytes } of files) {
    if (contentType.startsWith(video)) parts[label] = { file: bytes, contentType } satisfies VideoSource
    else {
      const layer = await decodeLayer(bytes)
      // Class numbers, stored as grey levels.
      const isClasses = label === 'labels'
      parts[label] = isClasses ? { ...layer, data: Uint8Array.from(layer.data, (grey) => grey * 255 + 0.5) } : layer
    }
  }
  return parts as Parts
}
