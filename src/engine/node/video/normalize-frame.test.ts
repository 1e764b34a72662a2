import { VideoFrame, type VideoPixelFormat } from '@napi-rs/webcodecs'
import { expect, test } from 'vitest'
import { createFrame } from '../../video/frame.ts'
import { copyPlanes, toStandardRange } from './normalize-frame.ts'

/** 2 × 2 pixels: brightness of the first two, and the chroma of all. */
function converted(luma: [number, number], chroma: number, facts: Parameters<typeof toStandardRange>[1]) {
  const frame = createFrame(2, 2, 'bt709')
  frame.y.set([...luma, 16, 16])
  frame.u.fill(chroma)
  frame.v.fill(128)
  toStandardRange(frame, facts)
  return { luma: [frame.y[0], frame.y[1]], chroma: [frame.u[0], frame.v[0]] }
}

test.each([
  ['I420', 8, 2, 2],
  ['I420P10', 10, 2, 2],
  ['I420P12', 12, 2, 2],
  ['I422', 8, 2, 1],
  ['I422P10', 10, 2, 1],
  ['I444', 8, 1, 1],
  ['I444P10', 10, 1, 1],
] as [VideoPixelFormat, number, number, number][])(
  'a decoded %s frame becomes 8 bits of half the colours',
  async (format, bits, across, down) => {
    const plane = (columns: number, rows: number, value: (share: number) => number) =>
      Array.from({ length: columns * rows }, (_, at) => value((at % columns) / columns) << (bits - 8))
    const [width, height] = [16, 8]
    const chroma = (left: number, right: number) =>
      plane(width / across, height / down, (share) => (share < 0.5 ? left : right))
    const samples = [...plane(width, height, (share) => 16 * share), ...chroma(20, 30), ...chroma(40, 50)]
    const data = bits === 8 ? Uint8Array.from(samples) : new Uint8Array(Uint16Array.from(samples).buffer)
    const decoded = new VideoFrame(data, { format, codedWidth: width, codedHeight: height, timestamp: 0 })
    const planes = new Uint8Array(width * height * 1.5)
    await copyPlanes(decoded, planes)
    decoded.close()
    const row = (from: number, length: number) => [...planes.subarray(from, from + length)]
    expect(row(16, 16)).toEqual(Array.from({ length: 16 }, (_, at) => at))
    expect(row(128, 8)).toEqual([20, 20, 20, 20, 30, 30, 30, 30])
    expect(row(184, 8)).toEqual([40, 40, 40, 40, 50, 50, 50, 50])
  },
)

test('a frame of standard range stays unchanged', () => {
  expect(converted([16, 235], 200, { fullRange: false, hdr: undefined })).toEqual({
    luma: [16, 235],
    chroma: [200, 128],
  })
})

test('full range is mapped to limited range, and grey stays grey', () => {
  expect(converted([0, 255], 255, { fullRange: true, hdr: undefined })).toEqual({ luma: [16, 235], chroma: [240, 128] })
})

test('high dynamic range keeps black and maps diffuse white to bright without clipping', () => {
  // Diffuse white (203 cd/m²) is a signal of 0.58 in PQ and of 0.75 in HLG (ITU-R BT.2408).
  for (const [hdr, signal] of [
    ['pq', 0.58],
    ['hlg', 0.75],
  ] as const) {
    const { luma } = converted([16, Math.round(16 + 219 * signal)], 128, { fullRange: false, hdr })
    expect(luma[0]).toBe(16)
    expect(luma[1]).toBeGreaterThan(170)
    expect(luma[1]).toBeLessThan(230)
  }
})
