import { readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { frameMarker, markPreview } from './marks.ts'
import { createFrame } from './video/frame.ts'

const copyOf = ({ width, height, data }: Picture): Picture => ({ width, height, data: data.slice() })

function plain(level: number, alpha = 255): Picture {
  const data = new Uint8ClampedArray(4 * 640 * 420)
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? alpha : level
  return { width: 640, height: 420, data }
}

async function photo(change: (source: Sharp) => Sharp = (source) => source): Promise<Picture> {
  const source = sharp(readFileSync('tests/fixtures/photos/astronaut.jpg')).resize(480, 480)
  const { data } = await change(source).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: 480, height: 480, data: new Uint8ClampedArray(data) }
}

/** Where a mark has changed any channel of a pixel by more than a few levels. */
function changed(before: Picture, after: Picture): boolean[] {
  return Array.from({ length: before.data.length / 4 }, (_, i) =>
    [0, 1, 2, 3].some((c) => Math.abs((before.data[4 * i + c] as number) - (after.data[4 * i + c] as number)) > 5),
  )
}

test.each([
  ['white', plain(255)],
  ['grey', plain(128)],
  ['black', plain(0)],
  ['nothing', plain(0, 0)],
])('the mark is to be seen on %s, in every quarter of a side', (_, picture) => {
  const marks = changed(picture, markPreview(copyOf(picture)))
  const { width, height } = picture
  for (let top = 0; top < height; top += height / 4) {
    for (let left = 0; left < width; left += width / 4) {
      let count = 0
      for (let y = top; y < top + height / 4; y++) {
        for (let x = left; x < left + width / 4; x++) if (marks[y * width + x]) count++
      }
      expect([left, top, count > 0.02 * ((width * height) / 16)]).toEqual([left, top, true])
    }
  }
})

test('a marked photograph is no copy of the result, and still shows it', async () => {
  const picture = await photo()
  const marked = markPreview(copyOf(picture))
  let squares = 0
  for (const [i, value] of picture.data.entries()) squares += (value - (marked.data[i] as number)) ** 2
  const psnr = 10 * Math.log10(255 ** 2 / (squares / (0.75 * picture.data.length)))
  expect(psnr).toBeGreaterThan(18)
  expect(psnr).toBeLessThan(32)
})

test('who asks again with about the same picture gets the same mark, and with another part of it another one', async () => {
  const first = await photo()
  const again = await photo((source) => source.jpeg({ quality: 60 }))
  const part = await photo((source) =>
    source.extract({ left: 160, top: 160, width: 320, height: 320 }).resize(480, 480),
  )
  const [marks, same, other] = [first, again, part].map((picture) => changed(picture, markPreview(copyOf(picture))))
  const agree = (these: boolean[] = []) => these.filter((mark, i) => mark === marks?.[i]).length / these.length
  expect(agree(same)).toBeGreaterThan(0.97)
  expect(agree(other)).toBeLessThan(0.9)
})

test('frames of a video are marked alike, also where they are transparent', () => {
  const mark = frameMarker({ width: 320, height: 180 })
  const frames = [0, 1].map(() => {
    const frame = createFrame(320, 180, 'bt601')
    frame.y.fill(16)
    return { ...frame, alpha: new Uint8Array(320 * 180) }
  })
  for (const frame of frames) mark(frame)
  const [first, second] = frames
  expect(first?.alpha).toEqual(second?.alpha)
  expect(first?.y).toEqual(second?.y)
  const seen = first?.alpha.filter((level, i) => level > 30 && (first.y[i] as number) > 100).length ?? 0
  expect(seen).toBeGreaterThan(0.02 * 320 * 180)
})
