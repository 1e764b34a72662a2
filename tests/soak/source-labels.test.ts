import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSourceLabel } from '#engine/node/source-label.ts'
import {
  type ContentCredentials,
  readContentCredentials,
} from '#features/generations/server/content-credentials/credentials-config.ts'
import { signResult } from '#features/generations/server/content-credentials/sign-result.ts'
import { makeClip } from '#tests/support/clips.ts'
import { photo } from '#tests/support/composites.ts'
import { readCredentials, signing } from '#tests/support/content-credentials.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { runTool, toolPool } from '#tests/support/run-tool.ts'
import type { ToolId } from '#tools/contracts.ts'
import type { EngineOutput } from '#tools/threads/task.ts'

/**
 * Independent readers: ExifTool for IPTC's label (`apt-get install libimage-exiftool-perl`; without
 * it these tests are skipped), c2pa-rs for content credentials.
 */
const hasExifTool = spawnSync('exiftool', ['-ver']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'rupa-labels-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Read = { DigitalSourceType?: string; Warning?: string }

function readBack(bytes: Uint8Array, extension: string): Read {
  const path = join(folder, `result.${extension}`)
  writeFileSync(path, bytes)
  const said = execFileSync('exiftool', ['-json', '-ee3', '-DigitalSourceType', '-Warning', path])
  const { DigitalSourceType, Warning } = (JSON.parse(said.toString()) as Read[])[0] ?? {}
  // The encoder writes EXIF of WebP in a form that ExifTool mentions and reads. ExifTool 12
  // mistakes a directory at the same offset of another PNG chunk for one that it has read.
  const isSerious = Warning && !/^\[minor\]|^JUMBFBox pointer references previous IFD0/.test(Warning)
  return { ...(DigitalSourceType && { DigitalSourceType }), ...(isSerious && { Warning }) }
}

let face: Uint8Array
let faces: Uint8Array[]
let wall: Uint8Array
let grey: Uint8Array
let clip: Uint8Array
beforeAll(async () => {
  const small = async (name: string) =>
    new Uint8Array(await sharp(photo(name)).resize(640, 640, { fit: 'inside' }).jpeg().toBuffer())
  face = await small('astronaut.jpg')
  faces = [face, await small('coffee.jpg'), await small('chelsea.jpg'), await small('rocket.jpg')]
  wall = await small('brick.jpg')
  grey = new Uint8Array(await sharp(photo('astronaut.jpg')).resize(400).greyscale().jpeg().toBuffer())
  clip = (await makeClip({ width: 320, height: 240, seconds: 1 })).bytes
})

const stroke = { mode: 'keep', shape: 'line', size: 12, points: [60, 60, 90, 66] }
const imageFormats = ['png', 'webp', 'jpeg']
const each = (given: object = {}, formats = imageFormats) => formats.map((format) => ({ ...given, format }))

interface Case {
  inputs: () => Record<string, Uint8Array[]>
  params: object[]
  own: string
}

const cases: Partial<Record<ToolId, Case>> = {
  'background-removal': {
    inputs: () => ({ picture: [face] }),
    params: [...each(), ...each({ crop: true, background: { type: 'color', color: '#ffffff' } }), { shape: 'sticker' }],
    own: 'algorithmicallyEnhanced',
  },
  'object-removal': {
    inputs: () => ({ picture: [wall] }),
    params: each({ strokes: [stroke] }),
    own: 'algorithmicallyEnhanced',
  },
  enhancement: {
    inputs: () => ({ picture: [wall] }),
    params: each(),
    own: 'algorithmicallyEnhanced',
  },
  colorizer: { inputs: () => ({ picture: [grey] }), params: each(), own: 'algorithmicallyEnhanced' },
  cartoonizer: { inputs: () => ({ picture: [face] }), params: each(), own: 'algorithmicallyEnhanced' },
  'face-cutout': {
    inputs: () => ({ picture: [face] }),
    params: each({}, ['png', 'webp']),
    own: 'algorithmicallyEnhanced',
  },
  'passport-photo': {
    inputs: () => ({ picture: [face] }),
    params: [
      ...each(),
      { sheets: [{ paper: '4r', file: 'pdf', photos: [{ preset: '4x6', count: 2 }] }] },
      { sheets: [{ paper: '4r', photos: [{ preset: '4x6', count: 2 }] }] },
    ],
    own: 'algorithmicallyEnhanced',
  },
  'photo-layout': {
    inputs: () => ({ pictures: faces }),
    params: [...each(), { shape: 'a4', pdf: true }],
    own: 'compositeCapture',
  },
  headshot: { inputs: () => ({ picture: [face] }), params: each(), own: 'compositeCapture' },
  'background-diffusion': {
    inputs: () => ({ picture: [face] }),
    params: each({ prompt: 'pantai', variants: 1 }),
    own: 'compositeCapture',
  },
  'swap-face': {
    inputs: () => ({ target: [face], faces: [face] }),
    params: each({ consent: true }),
    own: 'compositeWithTrainedAlgorithmicMedia',
  },
  'video-background-removal': {
    inputs: () => ({ video: [clip] }),
    params: [{ background: { type: 'transparent' } }, { background: { type: 'color', color: '#00ff00' } }],
    own: 'algorithmicallyEnhanced',
  },
}

const credentials = readContentCredentials((name) => signing[name as keyof typeof signing], true)
  .config as ContentCredentials
/** PDF and WebM have no place for a manifest that readers know. */
const signedExtensions = new Set(['png', 'jpg', 'webp', 'mp4'])

/** Mean difference of the lower right corners, 0 to 255; undefined for documents. */
async function cornerDifference(one: EngineOutput, other: EngineOutput): Promise<number | undefined> {
  const corners = await Promise.all([one, other].map(cornerOf))
  const [before, after] = corners
  if (!before || !after) return undefined
  return before.reduce((sum, value, i) => sum + Math.abs(value - (after[i] as number)), 0) / before.length
}

async function cornerOf({ bytes, contentType, width, height }: EngineOutput): Promise<Uint8Array | undefined> {
  // The label stands a little away from the corner.
  const shorter = Math.min(width, height)
  const [columns, rows] = [Math.ceil(0.22 * shorter), Math.ceil(0.075 * shorter)]
  if (contentType.startsWith('image/')) {
    const corner = { left: width - columns, top: height - rows, width: columns, height: rows }
    return sharp(bytes).extract(corner).ensureAlpha().raw().toBuffer()
  }
  if (!contentType.startsWith('video/')) return undefined
  const clip = await readClip(bytes)
  for await (const luma of clip.frames()) return luma.subarray(width * (height - rows), width * height)
  return undefined
}

describe.each(Object.entries(cases))('%s', (id, { inputs, params, own }) => {
  test.skipIf(!hasExifTool).each(params.map((given) => [JSON.stringify(given), given] as const))(
    'is declared for exiftool and in its content credentials, and visibly if required, with %s',
    async (_, given) => {
      const source = `http://cv.iptc.org/newscodes/digitalsourcetype/${own}`
      const made = await runTool(toolPool, id as ToolId, { inputs: inputs(), params: given })
      // Tools that keep nothing render from their inputs.
      const kept = made.kept.length > 0 ? { kept: made.kept } : {}
      const again = await runTool(toolPool, id as ToolId, { inputs: inputs(), params: given, ...kept, labelled: true })
      for (const output of [...made.outputs, ...again.outputs]) {
        const bytes = await signResult(output, credentials, new Date('2030-01-01'))
        expect(readBack(bytes, output.extension)).toEqual({ DigitalSourceType: source })
        const isSigned = signedExtensions.has(output.extension) && output.source !== undefined
        const expected = isSigned ? { problems: [], source } : undefined
        expect(isSigned ? await readCredentials(bytes, output.contentType) : undefined).toEqual(expected)
      }
      for (const [i, output] of made.outputs.entries()) {
        const difference = await cornerDifference(output, again.outputs[i] as EngineOutput)
        if (difference !== undefined) expect(difference).toBeGreaterThan(5)
      }
    },
  )
})

test.skipIf(!hasExifTool)(
  'a picture made by AI stays declared after a cut-out, an enlargement and a layout',
  async () => {
    const made = (file: Uint8Array) => withSourceLabel(file, 'image/jpeg', 'trainedAlgorithmicMedia')
    const labelOf = async (id: ToolId, files: Record<string, Uint8Array[]>, params: object) => {
      const { outputs } = await runTool(toolPool, id, { inputs: files, params })
      return outputs.map(({ bytes, extension }) => readBack(bytes, extension).DigitalSourceType?.split('/').at(-1))
    }
    expect(await labelOf('background-removal', { picture: [made(face)] }, { crop: true })).toEqual([
      'trainedAlgorithmicMedia',
    ])
    expect(await labelOf('enhancement', { picture: [made(wall)] }, {})).toEqual(['trainedAlgorithmicMedia'])
    const [first = face, ...others] = faces
    expect(await labelOf('photo-layout', { pictures: [made(first), ...others] }, {})).toEqual([
      'compositeWithTrainedAlgorithmicMedia',
    ])
  },
)
