import { open, readFile } from 'node:fs/promises'
import { EngineError } from '#engine/error.ts'
import type { CameraSettings } from '#engine/image/exif.ts'
import type { DigitalSource, Picture, Plane, VideoFile } from '#engine/image/picture.ts'
import { decodeLayer, decodePicture, decodePlane, readCameraSettings } from '#engine/node/codecs.ts'
import { labelWindow, readSourceLabel } from '#engine/node/source-label.ts'
import { decodeTask } from '#engine/node/task-files.ts'
import type { Json } from '#shared/schema.ts'
import type { Facts, WarningCode } from '#tools/contract/tool.ts'
import type { Generated, ToolInput } from '#tools/engine/tool-engine.ts'
import type { EngineFile, EngineInput, EngineOutcome, EngineTask, KeptFile } from './task.ts'

export const json = 'application/json'

type DecodedInputs = ToolInput<unknown>['inputs']

export async function decodeInputs(inputs: EngineTask['inputs']): Promise<DecodedInputs> {
  const decoded: Record<string, Picture[]> = {}
  for (const [name, files] of Object.entries(inputs)) {
    const these: (Picture | Plane | VideoFile)[] = []
    // Sequential: each may need a gigabyte while it is decoded.
    for (const file of files) these.push(await decodeInput(file))
    decoded[name] = these as Picture[]
  }
  return decoded
}

async function decodeInput(file: EngineInput): Promise<Picture | Plane | VideoFile> {
  const { kind, width, height } = file
  const announced = width && height ? { width, height } : undefined
  if (kind === 'plane') return decodePlane(await contentOf(file), announced)
  if (kind === 'picture') return decodePicture(await contentOf(file), announced)
  return videoOf(file)
}

function videoOf(file: EngineFile & Partial<Pick<EngineInput, 'width' | 'height' | 'seconds'>>): VideoFile {
  if (!('path' in file)) throw new EngineError('upload.not_video', { cause: 'a video must be a file' })
  const { path, contentType, width = 0, height = 0, seconds = 0 } = file
  return { path, contentType, width, height, seconds }
}

export async function contentOf(file: EngineFile): Promise<Uint8Array> {
  return 'bytes' in file ? file.bytes : readFile(file.path)
}

export function sizesOf(inputs: DecodedInputs): EngineOutcome['inputSizes'] {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, files]) => [name, files.map(({ width, height }) => ({ width, height }))]),
  )
}

export async function shotOf({ inputs }: EngineTask): Promise<CameraSettings | undefined> {
  const [picture] = Object.values(inputs)
    .flat()
    .filter(({ kind }) => kind === 'picture')
  return picture && readCameraSettings(await contentOf(picture))
}

export interface Sources {
  /** The label if the tool names none. */
  usual: DigitalSource
  inputs: readonly (DigitalSource | undefined)[]
}

/** A tool joins captures if it has several pictures; a logo is none. */
export async function sourcesOf({ inputs }: EngineTask): Promise<Sources> {
  const captures = Object.entries(inputs).flatMap(([name, files]) =>
    name === 'logo' ? [] : files.filter(({ kind }) => kind !== 'plane'),
  )
  return {
    usual: captures.length > 1 ? 'compositeCapture' : 'algorithmicallyEnhanced',
    inputs: await Promise.all(captures.map(labelOf)),
  }
}

/** Labels are at the beginning or the end, so that a video is not read. */
async function labelOf(file: EngineFile): Promise<DigitalSource | undefined> {
  if ('bytes' in file) return readSourceLabel(file.bytes)
  const opened = await open(file.path)
  try {
    const { size } = await opened.stat()
    for (const position of [0, Math.max(0, size - labelWindow)]) {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(labelWindow), 0, labelWindow, position)
      const found = readSourceLabel(buffer.subarray(0, bytesRead))
      if (found) return found
    }
    return undefined
  } finally {
    await opened.close()
  }
}

export interface KeptData {
  data: Json
  warnings: WarningCode[]
  facts: Facts
}

/** Labels of the files are index and part. */
export async function readDone(files: readonly KeptFile[]): Promise<ToolInput<unknown>['done']> {
  const done: Record<string, unknown[]> = {}
  for (const [taskKey, its] of Map.groupBy(files, ({ label }) => label.slice(0, label.lastIndexOf('/')))) {
    const [name = '', index] = taskKey.split('/')
    const parts = its.map(async (file) => {
      return {
        contentType: file.contentType,
        label: file.label.slice(taskKey.length + 1),
        bytes: await contentOf(file),
      }
    })
    const read = await Promise.all(parts)
    const data = read.find(({ contentType }) => contentType === json)
    const pictures = read.filter(({ contentType }) => contentType !== json)
    done[name] ??= []
    done[name][Number(index)] = await decodeTask({
      files: pictures,
      data: data ? JSON.parse(new TextDecoder().decode(data.bytes)) : {},
    })
  }
  return done
}

export async function readKept(files: KeptFile[]): Promise<Generated> {
  const layers: Generated['layers'] = {}
  const videos: Record<string, VideoFile> = {}
  let kept: KeptData = { data: null, warnings: [], facts: {} }
  for (const file of files) {
    const { label, contentType } = file
    if (contentType.startsWith('video/')) {
      videos[label] = videoOf(file)
      continue
    }
    const bytes = await contentOf(file)
    if (contentType === json) kept = JSON.parse(new TextDecoder().decode(bytes)) as KeptData
    else layers[label] = await decodeLayer(bytes)
  }
  return { layers, videos, ...kept }
}
