import { boxOverlap, clipBox, connectedRegions, growBox, unionBox } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { blendPicture, cropPicture, cropPlane, pastePicture } from '#engine/image/pixels.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { createRandom } from '#engine/image/random.ts'
import type { Box } from '#shared/media.ts'
import { fillScratch } from './fill-scratch.ts'
import { fillTexture } from './fill-texture.ts'
import { buildPyramid, channels, markedIndices, type PyramidLevel, patchRadius } from './pyramid.ts'

/** Largest depth of a hole, in pixels, that the fast method fills. */
const scratchDepth = 3

interface InpaintOptions {
  /**
   * Pixels above 0.5, such as people, are neither copied nor continued into the hole, unless hardly
   * anything else surrounds it; of the picture's size.
   */
  avoid?: Plane | undefined
  seed?: number
  /** Called with the finished share between steps; an exception from it stops the work. */
  checkpoint?: (fraction: number) => void
}

/**
 * Fills holes by patches of the surroundings at several resolutions (PatchMatch, Barnes et al.
 * 2009; voting, Wexler, Shechtman and Irani 2007; texture features, Newson et al. 2014), near the
 * expected colours and without a seam (Pérez et al. 2003). Thin holes, and the edges of larger
 * ones, use coherence transport (Bornemann and März 2007). `mask` has the picture's size and
 * replaces pixels by its share. Pixels at 0 and all alpha stay exact; without any known pixel
 * nothing changes.
 */
export function inpaint(picture: Picture, mask: Plane, { seed = 1, avoid, checkpoint }: InpaintOptions = {}): Picture {
  const out = { ...picture, data: picture.data.slice() }
  const areas = holesOf(mask)
  for (const [n, box] of areas.entries()) {
    const part = cropPicture(picture, box)
    const share = cropPlane(mask, box.x, box.y, box.width, box.height)
    const avoided = avoid && cropPlane(avoid, box.x, box.y, box.width, box.height)
    const filled = fill(part, share, avoided, seed, (fraction) => checkpoint?.((n + fraction) / areas.length))
    blendPicture(part, filled, share)
    pastePicture(out, part, box.x, box.y)
  }
  return out
}

function holesOf(mask: Plane): Box[] {
  const { regions } = connectedRegions(mask.width, mask.height, (i) => (mask.data[i] as number) > 0)
  const boxes: Box[] = []
  for (const region of regions) {
    let hole = region.box
    let merged = true
    while (merged) {
      merged = false
      for (let k = boxes.length - 1; k >= 0; k--) {
        const other = boxes[k] as Box
        if (boxOverlap(surroundings(hole), surroundings(other)) === 0) continue
        hole = unionBox(hole, other)
        boxes.splice(k, 1)
        merged = true
      }
    }
    boxes.push(hole)
  }
  return boxes.map((hole) => clipBox(surroundings(hole), mask) as Box)
}

const surroundings = (hole: Box): Box => growBox(hole, Math.max(48, hole.width, hole.height))

/** Fills the hole of a part; the alpha of the result is undefined. */
function fill(
  picture: Picture,
  share: Plane,
  avoid: Plane | undefined,
  seed: number,
  checkpoint: (fraction: number) => void,
): Picture {
  const { width, height } = picture
  const hole = new Uint8Array(width * height)
  for (let i = 0; i < hole.length; i++) if ((share.data[i] as number) > 0) hole[i] = 1
  const pixels = new Uint8Array(picture.data)
  if (!hole.includes(0)) return picture
  const gap = avoid ? withoutAvoided(hole, avoid) : hole
  writeTexture(pixels, gap, width, height)
  const levels = buildPyramid({ width, height, pixels, hole: gap })
  const finest = levels[0] as PyramidLevel
  if (finest.deepest <= scratchDepth || finest.sourceCount === 0) {
    fillScratch(finest.pixels, finest.hole, finest.width, finest.height, outermostFirst(finest))
  } else {
    fillTexture(levels, createRandom(seed), checkpoint)
  }
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    const from = channels * ((y + patchRadius) * finest.width + patchRadius)
    data.set(finest.pixels.subarray(from, from + channels * width), 4 * y * width)
  }
  return { width, height, data }
}

/** Least share of the known pixels around a hole outside the avoided ones. */
const leastKnown = 1 / 8

/** The hole with the avoided pixels, which are filled, too, as if they were not there. */
function withoutAvoided(hole: Uint8Array, avoid: Plane): Uint8Array {
  const gap = hole.map((value, i) => (value === 1 || (avoid.data[i] as number) > 0.5 ? 1 : 0))
  const knownIn = (area: Uint8Array) => area.reduce((count, value) => count + 1 - value, 0)
  return knownIn(gap) > leastKnown * knownIn(hole) ? gap : hole
}

function outermostFirst({ hole, depth }: PyramidLevel): Int32Array {
  return markedIndices(hole).sort((a, b) => (depth[a] as number) - (depth[b] as number) || a - b)
}

/** Stores the texture strength (mean change of brightness) in the alpha channel. */
function writeTexture(pixels: Uint8Array, hole: Uint8Array, width: number, height: number): void {
  const change = createPlane(width, height)
  const known = createPlane(width, height)
  const grey = new Float32Array(width * height)
  for (let i = 0; i < grey.length; i++) {
    grey[i] = (2 * (pixels[4 * i] as number) + 5 * (pixels[4 * i + 1] as number) + (pixels[4 * i + 2] as number)) / 8
  }
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const i = y * width + x
      if (hole[i] || hole[i + 1] || hole[i + width]) continue
      const own = grey[i] as number
      change.data[i] = Math.abs((grey[i + 1] as number) - own) + Math.abs((grey[i + width] as number) - own)
      known.data[i] = 1
    }
  }
  const sum = boxBlur(change, 4)
  const share = boxBlur(known, 4)
  for (let i = 0; i < width * height; i++) {
    const weight = share.data[i] as number
    pixels[channels * i + 3] = weight > 0 ? Math.min(255, (2 * (sum.data[i] as number)) / weight) : 0
  }
}
