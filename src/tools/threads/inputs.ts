import { open, readFile } from 'node:fs/promises'
import { EngineError } from '#engine/error.ts'
import type { CameraSettings } from '#engine/image/exif.ts'
import type { DigitalSource, Picture, Plane, VideoFile } from '#engine/image/picture.ts'
import { decodePicture, decodePlane, readCameraSettings } from '#engine/node/codecs.ts'
import { labelWindow, readSourceLabel } from '#engine/node/source-label.ts'
import type { ToolInput } from '#tools/engine/tool-engine.ts'
import type { EngineFile, EngineInput, EngineOutcome, EngineTask } from './task.ts'

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

export function videoOf(file: EngineFile & Partial<Pick<EngineInput, 'width' | 'height' | 'seconds'>>): VideoFile {
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
