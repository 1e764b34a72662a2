import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { type DigitalSource, digitalSources, type PictureEncoding } from '#engine/image/picture.ts'
import type { AnyEngine, Output } from '#tools/engine/tool-engine.ts'
import { runTask } from '#tools/threads/run.ts'
import type { EngineInput, EngineOutcome } from '#tools/threads/task.ts'
import { joinSources, readSourceLabel, withSourceLabel } from './source-label.ts'

const size = { width: 61, height: 43 }
const painted = sharp({ create: { ...size, channels: 4, background: { r: 200, g: 20, b: 40, alpha: 0.5 } } })
const opaque = painted.clone().flatten()
const exif = { IFD0: { Make: 'Kamera' } }
const pixels = (file: Uint8Array) => sharp(file).ensureAlpha().raw().toBuffer()

test.each([
  ['image/jpeg', opaque.clone().jpeg()],
  ['image/jpeg', opaque.clone().withExif(exif).jpeg()],
  ['image/png', painted.clone().png()],
  ['image/webp', painted.clone().webp()],
  ['image/webp', opaque.clone().webp()],
  ['image/webp', painted.clone().webp({ lossless: true })],
  ['image/webp', opaque.clone().webp({ lossless: true })],
  ['image/webp', painted.clone().withExif(exif).webp()],
] as const)('a label in %s (%#) is read by another program, and changes no pixel', async (contentType, made) => {
  const file = await made.toBuffer()
  const labelled = withSourceLabel(file, contentType, 'compositeCapture')
  expect(readSourceLabel(file)).toBeUndefined()
  expect(readSourceLabel(labelled)).toBe('compositeCapture')
  expect(await pixels(labelled)).toEqual(await pixels(file))
  const { xmp, width, height, hasAlpha } = await sharp(labelled).metadata()
  expect(xmp?.toString()).toContain('digitalsourcetype/compositeCapture</Iptc4xmpExt:DigitalSourceType>')
  expect({ width, height, hasAlpha }).toEqual({ ...size, hasAlpha: (await sharp(file).metadata()).hasAlpha })
})

test('files of other types stay as they are', () => {
  const file = new TextEncoder().encode('<svg/>')
  expect(withSourceLabel(file, 'image/svg+xml', 'compositeCapture')).toBe(file)
})

describe('the label of a result', () => {
  test.each<[own: DigitalSource, inputs: (DigitalSource | undefined)[], joined: DigitalSource]>([
    ['algorithmicallyEnhanced', [undefined], 'algorithmicallyEnhanced'],
    ['algorithmicallyEnhanced', ['trainedAlgorithmicMedia'], 'trainedAlgorithmicMedia'],
    ['algorithmicallyEnhanced', ['compositeWithTrainedAlgorithmicMedia'], 'compositeWithTrainedAlgorithmicMedia'],
    ['algorithmicallyEnhanced', ['compositeSynthetic'], 'compositeWithTrainedAlgorithmicMedia'],
    ['algorithmicallyEnhanced', ['compositeCapture'], 'compositeCapture'],
    ['compositeCapture', [undefined, 'trainedAlgorithmicMedia'], 'compositeWithTrainedAlgorithmicMedia'],
    ['trainedAlgorithmicMedia', [undefined], 'trainedAlgorithmicMedia'],
  ])('of %s from %j is %s', (own, inputs, joined) => expect(joinSources(own, inputs)).toBe(joined))

  const picture = { ...size, data: new Uint8ClampedArray(4 * size.width * size.height).fill(120) }
  const encodings: PictureEncoding[] = [
    { format: 'jpeg' },
    { format: 'png', quality: 80 },
    { format: 'webp' },
    { format: 'jpeg', dpi: 300, metadata: { shot: true } },
    { format: 'jpeg', maxBytes: 2000, minBytes: 1900 },
  ]
  const outputs: Output[] = [
    ...encodings.map((encoding) => ({ picture, encoding })),
    { pages: [{ picture, millimetres: { width: 30, height: 20 } }] },
    { file: new Uint8Array(16), contentType: 'video/mp4', extension: 'mp4', ...size },
  ]
  const engine: AnyEngine = {
    generate: async () => ({ layers: {}, data: null, warnings: [] }),
    render: async () => ({ outputs }),
  }

  async function labelsOf(inputs: Record<string, EngineInput[]>): Promise<(DigitalSource | undefined)[][]> {
    const run = async (step: 'generate' | 'render', kept: EngineOutcome['kept'] = []) => {
      const task = { step, tool: 'any', params: {}, inputs, kept }
      return (await runTask(task, { any: engine }, {} as EngineHost)) as EngineOutcome
    }
    const made = await run('generate')
    const again = await run('render', made.kept)
    for (const { bytes } of [made.outputs[4], again.outputs[4]].flatMap((one) => one ?? [])) {
      expect(bytes.length).toBeGreaterThanOrEqual(1900)
      expect(bytes.length).toBeLessThanOrEqual(2000)
    }
    return [made, again].map((outcome) => outcome.outputs.map(({ bytes }) => readSourceLabel(bytes)))
  }
  const everywhere = (source: DigitalSource) => [outputs.map(() => source), outputs.map(() => source)]
  const input = async (source?: DigitalSource): Promise<EngineInput> => {
    const file = await opaque.clone().jpeg().toBuffer()
    return { kind: 'picture', contentType: '', bytes: source ? withSourceLabel(file, 'image/jpeg', source) : file }
  }

  test('is in every format, also after rendering again', async () => {
    expect(await labelsOf({ picture: [await input()] })).toEqual(everywhere('algorithmicallyEnhanced'))
  })

  test('names joined captures, among which a logo is none', async () => {
    const pictures = [await input(), await input()]
    expect(await labelsOf({ pictures })).toEqual(everywhere('compositeCapture'))
    expect(await labelsOf({ picture: [await input()], logo: [await input()] })).toEqual(
      everywhere('algorithmicallyEnhanced'),
    )
  })

  test('keeps the AI of its input', async () => {
    const made = await input('trainedAlgorithmicMedia')
    expect(await labelsOf({ picture: [made] })).toEqual(everywhere('trainedAlgorithmicMedia'))
    expect(await labelsOf({ pictures: [made, await input()] })).toEqual(
      everywhere('compositeWithTrainedAlgorithmicMedia'),
    )
  })
})

test('only terms that are known are read', () => {
  const text = (term: string) => new TextEncoder().encode(`http://cv.iptc.org/newscodes/digitalsourcetype/${term}<`)
  for (const source of digitalSources) expect(readSourceLabel(text(source))).toBe(source)
  expect(readSourceLabel(text('digitalCapture'))).toBeUndefined()
})
