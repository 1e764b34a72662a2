import type { VideoFrame } from '@napi-rs/webcodecs'
import { EngineError } from '#engine/error.ts'
import type { Size } from '#engine/image/picture.ts'
import { createFrame, type Frame } from '#engine/video/frame.ts'
import type { OpenVideo } from './open-video.ts'

/**
 * Copies planes of 8 bits and half the colour resolution, of whatever the decoder made: phones film
 * in 10 bits, screen recorders in full colour resolution. Throws `upload.video_codec`.
 */
export async function copyPlanes(decoded: VideoFrame, to: Uint8Array): Promise<void> {
  const [, sampling, bits = 8] = /^I4(20|22|44)(?:P(1[02]))?$/.exec(decoded.format ?? '') ?? []
  try {
    if (!sampling || (sampling === '20' && bits === 8)) {
      await decoded.copyTo(to, { format: 'I420' })
      return
    }
    const bytes = new Uint8Array(decoded.allocationSize())
    const planes = await decoded.copyTo(bytes)
    const { codedWidth: width, codedHeight: height } = decoded
    const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
    const step = { across: sampling === '44' ? 2 : 1, down: sampling === '20' ? 1 : 2 }
    let at = 0
    planes.forEach(({ offset, stride }, plane) => {
      const size = plane === 0 ? { width, height } : half
      const from = bits === 8 ? bytes.subarray(offset) : new Uint16Array(bytes.buffer, offset)
      const reduced = plane === 0 ? { across: 1, down: 1 } : step
      const target = to.subarray(at, at + size.width * size.height)
      reducePlane(
        from,
        { ...reduced, stride: stride / from.BYTES_PER_ELEMENT, shift: Number(bits) - 8 },
        target,
        size.width,
      )
      at += target.length
    })
  } catch (error) {
    throw new EngineError('upload.video_codec', { cause: error })
  }
}

interface Reduction {
  /** Samples joined in each direction. */
  across: number
  down: number
  /** In samples. */
  stride: number
  /** Bits to drop. */
  shift: number
}

function reducePlane(
  from: Uint8Array | Uint16Array,
  { across, down, stride, shift }: Reduction,
  to: Uint8Array,
  width: number,
): void {
  for (let i = 0; i < to.length; i++) {
    const at = Math.floor(i / width) * down * stride + (i % width) * across
    let sum = 0
    for (let y = 0; y < down; y++)
      for (let x = 0; x < across; x++) sum += from[at + y * stride + x] ?? (from[at] as number)
    to[i] = sum / (across * down) / 2 ** shift
  }
}

/** Clockwise. */
export function rotateFrame(frame: Frame, degrees: 0 | 90 | 180 | 270, create = createFrame): Frame {
  if (degrees === 0) return frame
  const { width, height, matrix } = frame
  const out = degrees === 180 ? create(width, height, matrix) : create(height, width, matrix)
  turnPlane(frame.y, width, height, out.y, degrees)
  turnPlane(frame.u, width / 2, height / 2, out.u, degrees)
  turnPlane(frame.v, width / 2, height / 2, out.v, degrees)
  return out
}

function turnPlane(from: Uint8Array, width: number, height: number, to: Uint8Array, degrees: 90 | 180 | 270): void {
  const count = width * height
  if (degrees === 180) {
    for (let i = 0; i < count; i++) to[count - 1 - i] = from[i] as number
    return
  }
  for (let y = 0, i = 0; y < height; y++) {
    let at = degrees === 90 ? height - 1 - y : (width - 1) * height + y
    const step = degrees === 90 ? height : -height
    for (let x = 0; x < width; x++, i++, at += step) to[at] = from[i] as number
  }
}

/** Size in square pixels: wide ones become more columns, high ones more lines. */
export function squareSize({ width, height }: Size, pixelAspect: number): Size {
  const even = (value: number) => 2 * Math.round(value / 2)
  return pixelAspect > 1 ? { width: even(width * pixelAspect), height } : { width, height: even(height / pixelAspect) }
}

/** To a frame of at least the same width and height, one of them equal. */
export function stretchFrame(frame: Frame, { width, height }: Size): Frame {
  const out = createFrame(width, height, frame.matrix)
  stretchPlane(frame.y, frame, out.y, out)
  const [from, to] = [frame, out].map((size) => ({ width: size.width / 2, height: size.height / 2 })) as [Size, Size]
  stretchPlane(frame.u, from, out.u, to)
  stretchPlane(frame.v, from, out.v, to)
  return out
}

/** Linear between neighbours. */
function stretchPlane(from: Uint8Array, source: Size, to: Uint8Array, target: Size): void {
  const isWidened = target.width > source.width
  const [length, made, lines] = isWidened
    ? [source.width, target.width, source.height]
    : [source.height, target.height, source.width]
  // Distances of neighbours, and of lines across them.
  const [step, fromLine, toLine] = isWidened ? [1, source.width, target.width] : [source.width, 1, 1]
  for (let i = 0; i < made; i++) {
    const place = Math.min(length - 1, Math.max(0, ((i + 0.5) * length) / made - 0.5))
    const low = Math.floor(place)
    const high = Math.min(low + 1, length - 1)
    for (let line = 0; line < lines; line++) {
      const before = from[low * step + line * fromLine] as number
      const after = from[high * step + line * fromLine] as number
      to[i * step + line * toLine] = before + (after - before) * (place - low) + 0.5
    }
  }
}

/** At most `side` pixels on the longer side. */
export function scaleFrame(frame: Frame, side: number, create = createFrame): Frame {
  const scale = side / Math.max(frame.width, frame.height)
  if (scale >= 1) return frame
  const even = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2))
  const out = create(even(frame.width), even(frame.height), frame.matrix)
  scalePlane(frame.y, frame.width, frame.height, out.y, out.width, out.height)
  scalePlane(frame.u, frame.width / 2, frame.height / 2, out.u, out.width / 2, out.height / 2)
  scalePlane(frame.v, frame.width / 2, frame.height / 2, out.v, out.width / 2, out.height / 2)
  return out
}

function scalePlane(from: Uint8Array, width: number, height: number, to: Uint8Array, columns: number, rows: number) {
  for (let y = 0, i = 0; y < rows; y++) {
    const top = Math.floor((y * height) / rows)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / rows))
    for (let x = 0; x < columns; x++, i++) {
      const left = Math.floor((x * width) / columns)
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / columns))
      let sum = 0
      for (let v = top; v < bottom; v++) {
        for (let u = left; u < right; u++) sum += from[v * width + u] as number
      }
      to[i] = sum / ((bottom - top) * (right - left)) + 0.5
    }
  }
}

/**
 * Converts full-range and high dynamic range frames to 8 bits of limited, standard range, in place.
 */
export function toStandardRange(frame: Frame, { fullRange, hdr }: Pick<OpenVideo, 'fullRange' | 'hdr'>): void {
  if (!fullRange && !hdr) return
  const luma = lumaTable(fullRange, hdr)
  const chroma = chromaTable(fullRange, hdr)
  apply(frame.y, luma)
  apply(frame.u, chroma)
  apply(frame.v, chroma)
}

function apply(plane: Uint8Array, table: Uint8Array): void {
  for (let i = 0; i < plane.length; i++) plane[i] = table[plane[i] as number] as number
}

function lumaTable(fullRange: boolean, hdr: OpenVideo['hdr']): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const signal = Math.min(1, Math.max(0, fullRange ? code / 255 : (code - 16) / 219))
    const shown = hdr === 'pq' ? fromPq(signal) : hdr === 'hlg' ? fromHlg(signal) : signal
    return Math.round(16 + 219 * Math.min(1, shown))
  })
}

/** BT.2020 colours shown as BT.709 look paler, and the tone curve flattens them further. */
const hdrSaturation = 1.2

function chromaTable(fullRange: boolean, hdr: OpenVideo['hdr']): Uint8Array {
  const scale = (fullRange ? 112 / 127.5 : 1) * (hdr ? hdrSaturation : 1)
  return Uint8Array.from({ length: 256 }, (_, code) => {
    return Math.round(Math.min(240, Math.max(16, 128 + scale * (code - 128))))
  })
}

/** In cd/m²: diffuse white, and the brightest luminance that keeps detail. */
const whiteLuminance = 203
const peakLuminance = 1000

/** Perceptual quantizer (SMPTE ST 2084) to a signal for standard screens. */
function fromPq(signal: number): number {
  const root = signal ** (1 / 78.84375)
  const light = 10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  return toScreen(light / whiteLuminance)
}

/** Hybrid log-gamma (ITU-R BT.2100) to a signal for standard screens. */
function fromHlg(signal: number): number {
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  return toScreen((peakLuminance * scene ** 1.2) / whiteLuminance)
}

/** Reinhard et al. (2002), diffuse white just below the top, then the gamma of standard screens. */
function toScreen(light: number): number {
  const top = peakLuminance / whiteLuminance
  return ((light * (1 + light / top ** 2)) / (1 + light)) ** (1 / 2.4) * 1.08
}
