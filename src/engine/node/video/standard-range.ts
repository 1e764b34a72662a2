import type { Frame } from '../../video/frame.ts'
import type { OpenVideo } from './open-video.ts'

/**
 * Brings full-range and high dynamic range frames to 8 bits of limited, standard range, in place.
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

/** BT.2020 colours that are shown as BT.709 look paler; the tone curve flattens them further. */
const hdrSaturation = 1.2

function chromaTable(fullRange: boolean, hdr: OpenVideo['hdr']): Uint8Array {
  const scale = (fullRange ? 112 / 127.5 : 1) * (hdr ? hdrSaturation : 1)
  return Uint8Array.from({ length: 256 }, (_, code) => {
    return Math.round(Math.min(240, Math.max(16, 128 + scale * (code - 128))))
  })
}

/** Light of diffuse white, and the brightest light that is still told apart, in cd/m². */
const white = 203
const peak = 1000

/** Perceptual quantizer (SMPTE ST 2084) to a signal for standard screens. */
function fromPq(signal: number): number {
  const root = signal ** (1 / 78.84375)
  const light = 10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  return toScreen(light / white)
}

/** Hybrid log-gamma (ITU-R BT.2100) to a signal for standard screens. */
function fromHlg(signal: number): number {
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  return toScreen((peak * scene ** 1.2) / white)
}

/**
 * Tone curve of Reinhard et al. (2002) with diffuse white just below the top, then the gamma of
 * standard screens.
 */
function toScreen(light: number): number {
  const top = peak / white
  return ((light * (1 + light / top ** 2)) / (1 + light)) ** (1 / 2.4) * 1.08
}
