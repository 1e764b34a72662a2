import { deflateSync } from 'node:zlib'
import { writeExr } from 'hdrify'
import { describe, expect, test } from 'vitest'
import { writeRadiance } from '#engine/image/radiance.ts'
import { readProbe } from './probe-file.ts'

const soak = Boolean(process.env.SOAK)
const size = { width: 256, height: 128 }

/** A bright lamp in a dim room whose floor is red. */
function room({ width, height } = size): Float32Array {
  const data = new Float32Array(4 * width * height)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const isLamp = Math.hypot(x - 0.25 * width, y - 0.25 * height) < height / 10
      data.set(isLamp ? [40, 40, 30, 1] : y > height / 2 ? [0.5, 0.1, 0.1, 1] : [0.2, 0.25, 0.3, 1], at)
    }
  }
  return data
}

const exr = (compression: number, shape = size) =>
  writeExr({ ...shape, data: room(shape), linearColorSpace: 'linear-rec709' }, { compression })

const rgb = (shape = size) => room(shape).filter((_, i) => i % 4 < 3)
const code = (bytes: Uint8Array) => {
  try {
    readProbe(bytes)
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
  return 'read'
}
const at = (data: Float32Array, width: number, x: number, y: number) => [
  ...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
]

describe('a probe', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('is read with compression %i of OpenEXR', (compression) => {
    const { width, height, data } = readProbe(exr(compression))
    expect([width, height]).toEqual([256, 128])
    for (const [x, y, light] of [
      [200, 20, [0.2, 0.25, 0.3]],
      [200, 100, [0.5, 0.1, 0.1]],
      [64, 32, [40, 40, 30]],
    ] as const) {
      for (const [c, value] of at(data, width, x, y).entries()) expect(value / light[c]!).toBeCloseTo(1, 1)
    }
  })

  test('of Radiance keeps its light within a mantissa of eight bits, lamps included', () => {
    const { data } = readProbe(writeRadiance({ ...size, data: rgb() }))
    const source = rgb()
    expect([...data].filter((value, i) => Math.abs(value - source[i]!) >= 0.4)).toEqual([])
    expect(at(data, 256, 64, 32)[0]).toBeGreaterThan(39)
  })

  test('is read with runs of each channel and with runs of pixels', () => {
    const header = (height: number, width: number) =>
      Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1\n\n-Y ${height} +X ${width}\n`)
    const channel = (value: number) => [128 + 127, value, 128 + 1, value]
    const row = [2, 2, 0, 128, ...channel(128), ...channel(64), ...channel(32), ...channel(129)]
    const byChannel = readProbe(Buffer.concat([header(64, 128), ...Array(64).fill(Buffer.from(row))]))
    expect(at(byChannel.data, 128, 127, 63)).toEqual([1, 0.5, 0.25])
    const runs = Buffer.from([128, 64, 32, 129, 1, 1, 1, 127])
    const byPixel = readProbe(Buffer.concat([header(64, 128), ...Array(64).fill(runs)]))
    expect(byPixel.data).toEqual(byChannel.data)
  })

  test('of any size is reduced to what a blurred background shows, with the same mean light', () => {
    const shape = { width: 1100, height: 550 }
    const light = rgb(shape)
    const { width, height, data } = readProbe(writeRadiance({ ...shape, data: light }))
    expect([width, height]).toEqual([1024, 512])
    const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
    expect(mean(data) / mean(light)).toBeCloseTo(1, 1)
  })

  test('of another shape, or too small, is refused', () => {
    expect(code(exr(3, { width: 256, height: 256 }))).toBe('upload.not_panorama')
    expect(code(exr(3, { width: 64, height: 32 }))).toBe('upload.probe_size')
  })
})

/** Replaces the value of an attribute in place. */
function withAttribute(bytes: Uint8Array, name: string, change: (view: DataView) => void): Uint8Array {
  const copy = Buffer.from(bytes)
  const from = copy.indexOf(`${name}\0`, 0, 'latin1')
  const value = copy.indexOf(0, from + name.length + 1) + 5
  change(new DataView(copy.buffer, copy.byteOffset + value))
  return copy
}

describe('a hostile probe', () => {
  test('that announces billions of pixels costs no memory', () => {
    const before = process.memoryUsage().arrayBuffers
    const huge = withAttribute(exr(3), 'dataWindow', (view) => {
      view.setInt32(8, 0x7ffffffe, true)
      view.setInt32(12, 0x3ffffffe, true)
    })
    expect(code(huge)).toBe('upload.probe_size')
    expect(code(Buffer.from('#?RADIANCE\n\n-Y 500000 +X 999999\n'))).toBe('upload.probe_size')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
  })

  test.each([
    ['ZIP', 3],
    ['PXR24', 5],
    ['DWAA', 8],
  ])('whose block inflates a thousand times is refused before it does: %s', (_, compression) => {
    const file = Buffer.from(exr(compression))
    const table = Number(tableOf(file))
    const block = Number(file.readBigUInt64LE(table))
    const bomb = deflateSync(Buffer.alloc(100_000_000))
    const data = compression === 8 ? Buffer.concat([dwaHeader(bomb.length), bomb]) : bomb
    const head = Buffer.from(file.subarray(block, block + 8))
    head.writeUInt32LE(data.length, 4)
    const before = process.memoryUsage().arrayBuffers
    expect(code(Buffer.concat([file.subarray(0, block), head, data]))).toBe('upload.unreadable')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  })

  test.each(soak ? [0, 3, 4, 8] : [3, 8])(
    'that is cut off or changed in any byte is refused or read, never worse: %i',
    (compression) => {
      const file = exr(compression, { width: 128, height: 64 })
      const step = Math.max(1, Math.floor(file.length / (soak ? 150 : 40)))
      for (let i = 0; i < file.length; i += i < 400 ? (soak ? 3 : 8) : step) {
        const changed = Buffer.from(file)
        changed[i] = 0xff - changed[i]!
        expect(code(changed)).toMatch(/^(read|upload\.\w+)$/)
        if (i < file.length - 200) expect(code(file.subarray(0, i))).toMatch(/^upload\.unreadable$/)
      }
    },
  )

  test('with tiles, many channels or no light is refused', () => {
    const tiled = Buffer.from(exr(3))
    tiled.writeUInt32LE(0x202, 4)
    expect(code(tiled)).toBe('upload.unreadable')
    expect(code(writeRadiance({ ...size, data: new Float32Array(3 * 256 * 128) }))).toBe('upload.unreadable')
    expect(code(Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 64 +X 128\n'))).toBe('upload.unreadable')
  })
})

/** Position of the table of blocks: after the empty name that ends the attributes. */
function tableOf(file: Buffer): number {
  let at = 8
  while (file[at] !== 0) {
    at = file.indexOf(0, file.indexOf(0, at) + 1) + 1
    at += 4 + file.readUInt32LE(at)
  }
  return at + 1
}

function dwaHeader(bytes: number): Buffer {
  const header = Buffer.alloc(90)
  header.writeBigUInt64LE(2n, 0)
  header.writeBigUInt64LE(BigInt(bytes), 16)
  header.writeUInt16LE(2, 88)
  return header
}
