import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'

/** Minimum length as a share of the longer side; shorter lines may be hairs, lashes or wires. */
const minLength = 0.17
const minSlenderness = 9
/** Minimum difference in lightness from both sides, 0 to 1. */
const minContrast = 0.09
/** Largest difference of the sides, as a share of the contrast; edges and rims differ more. */
const maxUnevenness = 0.45
/**
 * Minimum product of relative contrast, relative steadiness and similarity of the sides. With it 8
 * in 100 photographs without scratches have a false positive, without it 24.
 */
const [minScore, clearContrast] = [0.77, 0.3]
/** Above this share of the picture the lines are a pattern, such as a wall's. */
const maxCovered = 0.02

/**
 * Mask for `inpaint` (0 or 1) of thin scratches and creases: lines narrower than a hundredth of the
 * picture, equally distinct from both sides (top-hat transform, Meyer 1979), long, slender and
 * nearly straight. Wires and masts match too, so the user must confirm. Undefined without
 * scratches.
 */
export function findScratches(picture: Picture): Plane | undefined {
  const lightness = lumaOf(picture, 1)
  const { width, height } = lightness
  const longer = Math.max(width, height)
  const reach = Math.max(2, Math.round(longer / 350))
  const mask = createPlane(width, height)
  let found = 0
  for (const lines of [brightLines(lightness, reach), darkLines(lightness, reach)]) {
    // Lines must stand out from texture, which has lines everywhere.
    const usual = boxBlur(lines, 6 * reach)
    const strong = (i: number) => (lines.data[i] as number) > Math.max(minContrast, 4 * (usual.data[i] as number))
    const traced = closeGaps(width, height, strong)
    const { labels, regions } = connectedRegions(width, height, (i) => traced[i] === 1)
    const scratches = new Set(
      regions
        .filter((region) => isScratch(region, labels, lightness, lines, { least: minLength * longer, reach }))
        .map(({ label }) => label),
    )
    for (let i = 0; i < labels.length; i++) {
      if (!scratches.has(labels[i] as number)) continue
      mask.data[i] = 1
      found++
    }
  }
  return found > 0 && found < maxCovered * width * height ? dilate(mask, 1) : undefined
}

/** White top-hat transform. */
function brightLines(plane: Plane, reach: number): Plane {
  const opened = dilate(erode(plane, reach), reach)
  return { ...plane, data: plane.data.map((value, i) => value - (opened.data[i] as number)) }
}

function darkLines(plane: Plane, reach: number): Plane {
  const closed = erode(dilate(plane, reach), reach)
  return { ...plane, data: plane.data.map((value, i) => (closed.data[i] as number) - value) }
}

/** Closes gaps of up to four pixels: grain interrupts scratches. */
function closeGaps(width: number, height: number, holds: (i: number) => boolean): Uint8Array {
  const marks = createPlane(width, height)
  for (let i = 0; i < marks.data.length; i++) if (holds(i)) marks.data[i] = 1
  return Uint8Array.from(erode(dilate(marks, 2), 2).data)
}

/** Measures straightness by the spread along and across the main axis (principal components). */
function isScratch(
  { label, area, box }: ReturnType<typeof connectedRegions>['regions'][number],
  labels: Int32Array,
  lightness: Plane,
  lines: Plane,
  { least, reach }: { least: number; reach: number },
): boolean {
  const { width } = lightness
  const extent = Math.hypot(box.width, box.height)
  if (extent < least || area > (extent * extent) / minSlenderness) return false
  let [x, y, xx, xy, yy] = [0, 0, 0, 0, 0]
  for (let v = box.y; v < box.y + box.height; v++) {
    for (let u = box.x; u < box.x + box.width; u++) {
      if (labels[v * width + u] !== label) continue
      x += u
      y += v
      xx += u * u
      xy += u * v
      yy += v * v
    }
  }
  const [mx, my] = [x / area, y / area]
  const [sxx, sxy, syy] = [xx / area - mx * mx, xy / area - mx * my, yy / area - my * my]
  const gap = Math.hypot(sxx - syy, 2 * sxy)
  const along = Math.sqrt((sxx + syy + gap) / 2)
  const across = Math.sqrt(Math.max(0, (sxx + syy - gap) / 2))
  if (along < 0.5 * minSlenderness * across || area / (along * Math.sqrt(12)) > extent / minSlenderness) return false
  // Samples both sides of every pixel, across the main axis.
  const angle = 0.5 * Math.atan2(2 * sxy, sxx - syy) + Math.PI / 2
  const [dx, dy] = [Math.round((reach + 2) * Math.cos(angle)), Math.round((reach + 2) * Math.sin(angle))]
  let [uneven, contrast, count] = [0, 0, 0]
  const [own, sides] = [createRunningDeviation(), createRunningDeviation()]
  for (let v = Math.max(box.y, Math.abs(dy)); v < Math.min(box.y + box.height, lightness.height - Math.abs(dy)); v++) {
    for (let u = Math.max(box.x, Math.abs(dx)); u < Math.min(box.x + box.width, width - Math.abs(dx)); u++) {
      const i = v * width + u
      if (labels[i] !== label) continue
      const shift = dy * width + dx
      const [one, other] = [lightness.data[i + shift] as number, lightness.data[i - shift] as number]
      const strength = lines.data[i] as number
      uneven += Math.abs(one - other)
      contrast += strength
      if (strength < 0.5 * minContrast) continue
      count++
      own.add(lightness.data[i] as number)
      sides.add((one + other) / 2)
    }
  }
  if (count === 0 || uneven >= maxUnevenness * contrast) return false
  const clear = contrast / area / clearContrast
  const steady = Math.min(2, (0.03 + sides.deviation()) / (0.01 + own.deviation()))
  return clear * steady * (1 - uneven / contrast) > minScore
}

function createRunningDeviation() {
  let [sum, squares, count] = [0, 0, 0]
  return {
    add(value: number) {
      sum += value
      squares += value * value
      count++
    },
    deviation: () => Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2)),
  }
}
