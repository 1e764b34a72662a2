import { smoothKeepingEdges } from '#engine/image/domain-transform.ts'
import { copyPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { type Tones, tonesOf } from '#engine/image/tones.ts'
import { type Eye, enlargeEyes } from './eyes.ts'
import { edgeFlow, type Style } from './style.ts'
import { anime } from './styles/anime.ts'
import { comic } from './styles/comic.ts'
import { ink, pencil } from './styles/hatching.ts'
import { pixel } from './styles/pixel.ts'
import { popArt } from './styles/pop-art.ts'
import { poster } from './styles/poster.ts'
import { watercolour } from './styles/watercolour.ts'

export interface StylizeOptions {
  style: StyleName
  /** Distance from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  /** Draws a paper border around the picture; false for cut-outs. */
  rim: boolean
  /** Masks of the faces, and of their eyes, brows and mouths, at the picture's size, 0 to 1. */
  face: Plane
  features: Plane
  eyes: readonly Eye[]
}

/**
 * Opaque picture of the same size. Strokes and dots scale with the picture, so that a preview looks
 * like the result. Intended for 0.1 to 2 MP; alpha is ignored.
 */
export function stylize(picture: Picture, { style, ...options }: StylizeOptions): Picture {
  const { tones, features } = withLargeEyes(tonesOf(picture), style, options)
  const unit = Math.max(picture.width, picture.height) / 1000
  const drawing = greenFiltered(tones)
  smoothKeepingEdges([drawing], [{ ...drawing, data: drawing.data.slice() }], {
    sigmaSpace: Math.max(1.5, 2.5 * unit),
    sigmaRange: 0.09,
    rounds: 2,
  })
  const flow = edgeFlow(drawing, Math.max(1, Math.round(2.5 * unit)))
  return styles[style]({ tones, drawing, flow, unit, ...options, features })
}

/** Darkens red before lines are drawn, which separates skin from white hair and from lips. */
const greenFilter = 0.9

function greenFiltered({ luma, red }: Tones): Plane {
  const plane = copyPlane(luma)
  for (let i = 0; i < plane.data.length; i++) {
    const own = luma.data[i] as number
    plane.data[i] = own * (1 - greenFilter * Math.max(0, red.data[i] as number))
  }
  return plane
}

/** Growth of the eyes' width, by style. */
const eyeGrowth: Partial<Record<StyleName, number>> = { anime: 0.16 }

function withLargeEyes(tones: Tones, style: StyleName, options: Omit<StylizeOptions, 'style'>) {
  const { features, eyes, strength } = options
  const growth = (eyeGrowth[style] ?? 0) * (0.5 + strength)
  if (growth === 0) return { tones, features }
  const planes = enlargeEyes([tones.luma, tones.blue, tones.red, features], eyes, growth)
  const [luma, blue, red, moved] = planes as [Plane, Plane, Plane, Plane]
  return { tones: { luma, blue, red }, features: moved }
}

export const styles = {
  comic,
  anime,
  ink,
  watercolour,
  'pop-art': popArt,
  pencil,
  poster,
  pixel,
} as const satisfies Record<string, Style>

export type StyleName = keyof typeof styles
