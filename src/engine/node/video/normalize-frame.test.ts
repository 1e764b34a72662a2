import { expect, test } from 'vitest'
import { createFrame } from '../../video/frame.ts'
import { toStandardRange } from './normalize-frame.ts'

/** 2 × 2 pixels: brightness of the first two, and the chroma of all. */
function converted(luma: [number, number], chroma: number, facts: Parameters<typeof toStandardRange>[1]) {
  const frame = createFrame(2, 2, 'bt709')
  frame.y.set([...luma, 16, 16])
  frame.u.fill(chroma)
  frame.v.fill(128)
  toStandardRange(frame, facts)
  return { luma: [frame.y[0], frame.y[1]], chroma: [frame.u[0], frame.v[0]] }
}

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
