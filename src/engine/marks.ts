import { brandName } from '#contract/brand.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { capitalHeight, textCoverage, textWidth } from '#engine/image/text.ts'
import type { Frame } from './video/frame.ts'

/** Size of the letters as a share of the longer side of what is marked. */
const letterSize = 0.065
/** From one name to the next along a line, and from line to line, in sizes of the letters. */
const gap = { along: 1.2, across: 2 }
/** How steeply the lines of names rise, in radians. */
const slope = Math.PI / 7
/** How much the letters cover, and the dark edge by which they show on white, 0 to 1. */
const strength = { letters: 0.19, edge: 0.13 }

/** Shares of light and of dark that each pixel is covered with, 0 to 1. */
interface Mark {
  light: Plane
  dark: Plane
}

/**
 * Writes the product's name all over a preview, in place, also where it is transparent: a sample
 * shows what a tool does, and nobody uses it instead of the result. Where the names lie follows
 * from roughly what the picture shows, so that asking again for the same one shows no other part;
 * with a `seed` of one's own, an integer from 0, they stay while the picture changes.
 */
export function markPreview(picture: Picture, seed = roughly(picture)): Picture {
  const { width, height, data } = picture
  const { light, dark } = drawMark(width, height, seed)
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const ink = light.data[i] as number
    const added = ink + (dark.data[i] as number)
    if (added === 0) continue
    const stays = ((data[at + 3] as number) / 255) * (1 - added)
    const alpha = added + stays
    for (let c = 0; c < 3; c++) data[at + c] = (255 * ink + (data[at + c] as number) * stays) / alpha
    data[at + 3] = 255 * alpha
  }
  return picture
}

/**
 * Makes a function that writes the same over each frame of a video preview, in place; all frames
 * are of one size.
 */
export function frameMarker({ width, height }: Size): (frame: Frame) => void {
  const { light, dark } = drawMark(width, height, 0)
  const grey = 128
  return ({ y, u, v, alpha }) => {
    for (let i = 0; i < y.length; i++) {
      const ink = light.data[i] as number
      const added = ink + (dark.data[i] as number)
      if (added === 0) continue
      const stays = (alpha ? (alpha[i] as number) / 255 : 1) * (1 - added)
      const covered = added + stays
      y[i] = (235 * ink + 16 * (added - ink) + (y[i] as number) * stays) / covered
      if (alpha) alpha[i] = 255 * covered
      const [column, row] = [i % width, Math.floor(i / width)]
      if (((column | row) & 1) !== 0) continue
      const at = (row >> 1) * (width >> 1) + (column >> 1)
      u[at] = (grey * added + (u[at] as number) * stays) / covered
      v[at] = (grey * added + (v[at] as number) * stays) / covered
    }
  }
}

/** `seed` moves the pattern. */
function drawMark(width: number, height: number, seed: number): Mark {
  const size = letterSize * Math.max(width, height)
  const tile = drawName(size)
  const [light, dark] = [createPlane(width, height), createPlane(width, height)]
  const [cos, sin] = [Math.cos(slope), Math.sin(slope)]
  const { width: across, height: down } = tile.light
  // Two digits of the seed place the pattern within its period.
  const [left, top] = [((seed % 16) / 16) * across, ((Math.floor(seed / 16) % 16) / 16) * down]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const line = top + x * sin + y * cos
      // Every other line of names is moved by half of the way to the next name.
      const shift = Math.floor(line / down) % 2 === 0 ? 0 : across / 2
      const along = left + 4 * width + x * cos - y * sin + shift
      light.data[i] = strength.letters * sample(tile.light, along, line)
      dark.data[i] = strength.edge * sample(tile.dark, along, line)
    }
  }
  return { light, dark }
}

/** One name with the space around it, and the edge around its letters. */
function drawName(size: number): Mark {
  const width = Math.max(4, Math.round((textWidth(brandName) + gap.along) * size))
  const height = Math.max(4, Math.round(gap.across * size))
  const baseline = (height + capitalHeight * size) / 2
  const light = textCoverage(brandName, { width, height, left: (gap.along / 2) * size, baseline, size })
  const dark = boxBlur(light, Math.max(1, Math.round(0.035 * size)))
  for (let i = 0; i < dark.data.length; i++) {
    const letter = light.data[i] as number
    dark.data[i] = Math.min(1, 2 * (dark.data[i] as number)) * (1 - letter)
  }
  return { light, dark }
}

/** A value of the plane, which repeats in both directions; no coordinate is below 0. */
function sample({ width, height, data }: Plane, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [right, below] = [x - left, y - top]
  const at = (column: number, row: number) => data[(row % height) * width + (column % width)] as number
  const upper = at(left, top) * (1 - right) + at(left + 1, top) * right
  const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right
  return upper * (1 - below) + lower * below
}

const cells = 3
const levels = 4

/** A number that pictures of about the same have in common: how bright each ninth of them is. */
function roughly({ width, height, data }: Picture): number {
  let number = 0
  for (let cell = 0; cell < cells * cells; cell++) {
    const left = Math.floor(((cell % cells) * width) / cells)
    const top = Math.floor((Math.floor(cell / cells) * height) / cells)
    const right = Math.max(left + 1, Math.floor((((cell % cells) + 1) * width) / cells))
    const bottom = Math.max(top + 1, Math.floor(((Math.floor(cell / cells) + 1) * height) / cells))
    let sum = 0
    for (let y = top; y < bottom; y++) {
      for (let at = 4 * (y * width + left); at < 4 * (y * width + right); at += 4) {
        sum += ((data[at + 1] as number) * (data[at + 3] as number)) / 255
      }
    }
    const mean = sum / ((right - left) * (bottom - top))
    number = (number * 31 + Math.round((mean / 255) * levels)) % 65_521
  }
  return number
}

const words = 'Diedit AI'
/** Height of the letters as a share of the picture's shorter side. */
const share = 0.032

/**
 * Writes a small visible mark into the lower right corner: white letters on a dark plate, readable
 * on any picture. In place.
 */
export function pasteMark(picture: Picture): void {
  const { width, height, data } = picture
  const size = Math.max(11, share * Math.min(width, height))
  const gap = Math.round(0.5 * size)
  const plate = {
    width: Math.min(width, Math.round(textWidth(words) * size) + 2 * gap),
    height: Math.min(height, Math.round(capitalHeight * size) + 2 * gap),
  }
  const [left, top] = [Math.max(0, width - plate.width - gap), Math.max(0, height - plate.height - gap)]
  const baseline = gap + capitalHeight * size
  const letters = textCoverage(words, { ...plate, left: gap, baseline, size })
  for (let y = 0; y < plate.height; y++) {
    for (let x = 0; x < plate.width; x++) {
      const ink = letters.data[y * plate.width + x] as number
      const at = 4 * ((top + y) * width + left + x)
      for (let c = 0; c < 3; c++) {
        const below = 0.45 * (data[at + c] as number)
        data[at + c] = below + ink * (255 - below)
      }
      data[at + 3] = 255
    }
  }
}
