import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { capitalHeight, textCoverage, textWidth } from '#engine/image/text.ts'
import type { Frame } from '../video/frame.ts'

const words = 'Diedit AI'
/** Height of the letters as a share of the picture's shorter side, and at least in pixels. */
const letterHeight = { share: 0.032, least: 11 }
/** Share of the picture's light that the plate leaves. */
const plateLight = 0.45

interface Label extends Size {
  left: number
  top: number
  /** Coverage by the letters, 0 to 1. */
  letters: Plane
}

/**
 * White letters on a dark plate in the lower right corner, readable on any picture. `step` 2 keeps
 * the plate on whole chroma samples of a video.
 */
function labelFor({ width, height }: Size, step: 1 | 2 = 1): Label {
  const size = Math.max(letterHeight.least, letterHeight.share * Math.min(width, height))
  const gap = Math.round(0.5 * size)
  const whole = (length: number, limit: number) => Math.min(limit, step * Math.ceil(length / step))
  const plate = {
    width: whole(Math.round(textWidth(words) * size) + 2 * gap, width),
    height: whole(Math.round(capitalHeight * size) + 2 * gap, height),
  }
  const place = (space: number) => step * Math.floor(Math.max(0, space - gap) / step)
  const letters = textCoverage(words, { ...plate, left: gap, baseline: gap + capitalHeight * size, size })
  return { ...plate, left: place(width - plate.width), top: place(height - plate.height), letters }
}

/** Returns a copy with the visible label, opaque where the picture is transparent. */
export function withAiLabel(picture: Picture): Picture {
  const data = picture.data.slice()
  const label = labelFor(picture)
  for (let y = 0, i = 0; y < label.height; y++) {
    let at = 4 * ((label.top + y) * picture.width + label.left)
    for (let x = 0; x < label.width; x++, i++, at += 4) {
      const ink = label.letters.data[i] as number
      // The colours of transparent pixels have never been visible.
      const light = ((data[at + 3] as number) / 255) * plateLight
      for (let c = at; c < at + 3; c++) {
        const below = light * (data[c] as number)
        data[c] = below + ink * (255 - below)
      }
      data[at + 3] = 255
    }
  }
  return { ...picture, data }
}

const [black, white, grey] = [16, 235, 128]

/** Writes the visible label into frames of one size, in place. */
export function frameLabeller(size: Size): (frame: Frame) => void {
  const label = labelFor(size, 2)
  return ({ width, y: luma, u, v, alpha }) => {
    for (let y = 0, i = 0; y < label.height; y++) {
      let at = (label.top + y) * width + label.left
      for (let x = 0; x < label.width; x++, i++, at++) {
        const ink = label.letters.data[i] as number
        const light = plateLight * (alpha ? (alpha[at] as number) / 255 : 1)
        const below = black + light * ((luma[at] as number) - black)
        luma[at] = below + ink * (white - below) + 0.5
        if (alpha) alpha[at] = 255
        if (((x | y) & 1) === 1) continue
        const chroma = ((label.top + y) >> 1) * (width >> 1) + ((label.left + x) >> 1)
        const colour = light * (1 - ink)
        u[chroma] = grey + colour * ((u[chroma] as number) - grey) + 0.5
        v[chroma] = grey + colour * ((v[chroma] as number) - grey) + 0.5
      }
    }
  }
}
