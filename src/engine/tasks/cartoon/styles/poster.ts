import { createPlane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { pictureOf, toneOf } from '#engine/image/tones.ts'
import { drawLines } from '../lines.ts'
import { nearestColour } from '../palette.ts'
import { applyInk, removeFineTexture, type Style, scaleSaturation, stretchContrast } from '../style.ts'

/** Inks of a mid-century travel poster, which match each other for any photograph. */
const warm = ['#f6ecd2', '#f0c592', '#dfa62c', '#d99c68', '#cf5f38', '#b8754f', '#86725a', '#7c3a2d']
const cool = ['#b9b49f', '#a9cbbd', '#4f9390', '#1d5a73', '#15233f']
const inks = [...warm, ...cool]
const palette = Float32Array.from(inks.flatMap(toneOf))

/**
 * Each ink's share of a pixel is blurred and the largest wins, which rounds ragged borders like cut
 * paper (majority smoothing of a segmentation).
 */
export const poster: Style = (input) => {
  const { unit, strength, features } = input
  const tones = removeFineTexture(input, 18 + 20 * strength, 0.14 + 0.12 * strength)
  stretchContrast(tones.luma)
  scaleSaturation(tones, 1.15)
  const { width, height } = tones.luma
  const labels = new Uint8Array(width * height)
  for (let i = 0; i < labels.length; i++) {
    // Eyes and mouth come from the photograph itself, with more contrast.
    const keep = features.data[i] as number
    const level = tones.luma.data[i] as number
    const y = level + 1.4 * keep * ((input.tones.luma.data[i] as number) - level)
    labels[i] = nearestColour(palette, y, tones.blue.data[i] as number, tones.red.data[i] as number)
  }
  const rounded = majority(labels, width, height, inks.length, Math.max(1, Math.round((1.5 + strength) * unit)))
  for (let i = 0; i < labels.length; i++) {
    const k = (features.data[i] as number) > 0.25 ? (labels[i] as number) : (rounded[i] as number)
    tones.luma.data[i] = palette[3 * k] as number
    tones.blue.data[i] = palette[3 * k + 1] as number
    tones.red.data[i] = palette[3 * k + 2] as number
  }
  const edge = Math.max(1, Math.round(0.5 * unit))
  const out = { luma: boxBlur(tones.luma, edge), blue: boxBlur(tones.blue, edge), red: boxBlur(tones.red, edge) }
  if (input.lines) {
    applyInk(out, drawLines(input, { sigma: 1, along: 6, emphasis: 22, threshold: 0.2, slope: 6 }), 0.5, 0.6)
  }
  return pictureOf(out)
}

function majority(labels: Uint8Array, width: number, height: number, count: number, radius: number): Uint8Array {
  const out = new Uint8Array(labels.length)
  const most = new Float32Array(labels.length).fill(-1)
  const member = createPlane(width, height)
  const share = createPlane(width, height)
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < labels.length; i++) member.data[i] = labels[i] === k ? 1 : 0
    boxBlur(member, radius, share)
    for (let i = 0; i < labels.length; i++) {
      if ((share.data[i] as number) <= (most[i] as number)) continue
      most[i] = share.data[i] as number
      out[i] = k
    }
  }
  return out
}
