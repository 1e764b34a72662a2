import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSourceLabel } from '#engine/node/source-label.ts'
import { makeClip } from '#tests/support/clips.ts'
import { photo } from '#tests/support/composites.ts'
import { runTool, toolPool } from '#tests/support/run-tool.ts'
import type { ToolId } from '#tools/contracts.ts'

/** ExifTool is the independent reader: `apt-get install libimage-exiftool-perl`. */
const folder = mkdtempSync(join(tmpdir(), 'rupa-labels-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Read = { DigitalSourceType?: string; Warning?: string }

function readBack(bytes: Uint8Array, extension: string): Read {
  const path = join(folder, `result.${extension}`)
  writeFileSync(path, bytes)
  const said = execFileSync('exiftool', ['-json', '-ee3', '-DigitalSourceType', '-Warning', path])
  const { DigitalSourceType, Warning } = (JSON.parse(said.toString()) as Read[])[0] ?? {}
  // The encoder writes EXIF of WebP in a form that ExifTool mentions and reads.
  const isSerious = Warning && !Warning.startsWith('[minor]')
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

for (const [id, { inputs, params, own }] of Object.entries(cases)) {
  test(`exiftool reads the label of ${id} in every format, also after rendering again`, async () => {
    for (const given of params) {
      const made = await runTool(toolPool, id as ToolId, { inputs: inputs(), params: given })
      const again =
        made.kept.length > 0
          ? await runTool(toolPool, id as ToolId, { inputs: inputs(), params: given, kept: made.kept })
          : made
      for (const { bytes, extension } of [...made.outputs, ...again.outputs]) {
        const read = readBack(bytes, extension)
        expect(read, JSON.stringify({ given, extension })).toEqual({
          DigitalSourceType: `http://cv.iptc.org/newscodes/digitalsourcetype/${own}`,
        })
      }
    }
  })
}

test('a picture made by AI stays declared after a cut-out, an enlargement and a layout', async () => {
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
})
