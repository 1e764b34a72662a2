import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { capitalHeight, textCoverage, textWidth } from '#engine/image/text.ts'
import { brandName } from '#shared/brand.ts'
import { deviceRandomness, smoothNoise, type WatermarkRandomness } from './watermark-randomness.ts'

/** As a share of the longer side. */
const letterSize = { least: 0.058, most: 0.07 }
/** Between names along a line, and between lines, in sizes of the letters. */
const gap = { along: 1.2, across: 2 }
/** In radians. */
const slope = { least: 0.35, most: 0.55 }
/** Coverage by the letters, and by the dark edge that shows them on white, 0 to 1. */
const strength = { letters: 0.19, edge: 0.13 }
/** Share by which the strength varies, and bend of the lines in sizes of the letters. */
const strengthVariation = { strength: 0.2, bend: 0.16 }

/** Coverage of each pixel by light and dark, 0 to 1. */
export interface Letters {
  light: Plane
  dark: Plane
}

/** Size, slope, phase and strength are the picture's own. */
export function drawLetters({ width, height }: Size, draws: Pick<WatermarkRandomness, 'own'>): Letters {
  const draw = draws.own('letters')
  const between = ({ least, most }: { least: number; most: number }) => least + (most - least) * draw()
  const side = Math.max(width, height)
  const size = between(letterSize) * side
  const angle = between(slope)
  const tile = drawName(size)
  const [light, dark] = [createPlane(width, height), createPlane(width, height)]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const { width: across, height: down } = tile.light
  const inked = inkedRows(tile.dark)
  const [left, top] = [draw() * across + 4 * side, draw() * down + 4 * side]
  const [bendX, bendY, level] = [0.3, 0.3, 0.2].map((reach) => smoothNoise({ width, height }, reach * side, draw).data)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const bentX = x + strengthVariation.bend * size * (bendX?.[i] as number)
      const bentY = y + strengthVariation.bend * size * (bendY?.[i] as number)
      const line = top + bentX * sin + bentY * cos
      const within = line % down
      if (within < inked.from || within > inked.to) continue
      // Every other line is moved by half of the way to the next name.
      const along = left + bentX * cos - bentY * sin + (Math.floor(line / down) % 2 === 0 ? 0 : across / 2)
      const share = Math.min(1.35, Math.max(0.75, 1 + strengthVariation.strength * (level?.[i] as number)))
      light.data[i] = share * strength.letters * sample(tile.light, along, line)
      dark.data[i] = share * strength.edge * sample(tile.dark, along, line)
    }
  }
  return { light, dark }
}

/** In place, also on transparent pixels. */
export function writeLetters(picture: Picture, draws: Pick<WatermarkRandomness, 'own'>): Picture {
  return ink(picture, drawLetters(picture, draws))
}

let onDevice: (Size & { letters: Letters }) | undefined

/**
 * Like {@link writeLetters}. A device's letters depend on the size alone, and a preview is drawn
 * again with every change of an option.
 */
export function writeDeviceLetters(picture: Picture): Picture {
  const { width, height } = picture
  if (onDevice?.width !== width || onDevice.height !== height)
    onDevice = { width, height, letters: drawLetters(picture, deviceRandomness) }
  return ink(picture, onDevice.letters)
}

function ink(picture: Picture, { light, dark }: Letters): Picture {
  const { data } = picture
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const white = light.data[i] as number
    const added = white + (dark.data[i] as number)
    if (added === 0) continue
    const stays = ((data[at + 3] as number) / 255) * (1 - added)
    const alpha = added + stays
    for (let c = 0; c < 3; c++) data[at + c] = (255 * white + (data[at + c] as number) * stays) / alpha
    data[at + 3] = 255 * alpha
  }
  return picture
}

function drawName(size: number): Letters {
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

function inkedRows({ width, height, data }: Plane): { from: number; to: number } {
  const isInked = (row: number) => data.subarray(row * width, (row + 1) * width).some((value) => value > 0)
  let [from, to] = [0, height - 1]
  while (from < to && !isInked(from)) from++
  while (to > from && !isInked(to)) to--
  return { from: from - 1, to: to + 1 }
}

/** The plane repeats in both directions; coordinates must not be negative. */
function sample({ width, height, data }: Plane, x: number, y: number): number {
  const left = x | 0
  const top = y | 0
  const right = x - left
  const below = y - top
  const column = left % width
  const next = (left + 1) % width
  const row = (top % height) * width
  const nextRow = ((top + 1) % height) * width
  const upper = (data[row + column] as number) * (1 - right) + (data[row + next] as number) * right
  const lower = (data[nextRow + column] as number) * (1 - right) + (data[nextRow + next] as number) * right
  return upper * (1 - below) + lower * below
}
