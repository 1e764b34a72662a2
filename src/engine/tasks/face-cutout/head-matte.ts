import type { MeshPoints } from '#engine/host.ts'
import { connectedTo, fillPolygon, type Point } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { type HeadFrame, headFrame } from '#engine/tasks/faces/head.ts'
import { feather, meshArea, outlineOf } from '#engine/tasks/faces/regions.ts'
import { unknown } from './known-parts.ts'

/** Pixels from the eyes to the chin at which a head's share is worked out. */
export const enoughPixels = 120

/**
 * Lengths in distances from the eyes to the chin, along the head's own axes; `down` from the line
 * of the eyes.
 */
const cut = {
  /** The neck shows so far below the jaw, and the cut is so soft. */
  neck: 0.13,
  soft: 0.025,
  /** Beside the jaw all that looks like the head stays down to here, within an oval … */
  beside: 0.62,
  /** … and what has the colour of the hair down to here. */
  hair: 1.75,
  /** Half width and depth of the oval in which a scarf around the chin is cut. */
  scarf: { aside: 1.3, below: 1.5 },
  /** No head is wider, to either side, or higher. */
  aside: 1.75,
  above: 2.6,
} as const

/**
 * Which share of a person's matte is the head, hair and headdress included, 0 to 1: everything
 * above the jaw and, beside and below it, hair that falls further. Under the chin a short, soft
 * line of neck stays; a scarf around the chin is cut in an oval. `people` are all meshes of the
 * picture; what is nearer to another face is that one's. Where `parts` say what is the head, that
 * holds. All in pixels of the matte, which has the picture's size; a face of {@link enoughPixels}
 * shows everything that is looked at.
 */
export function headShare(
  picture: Picture,
  matte: Plane,
  own: MeshPoints,
  people: readonly MeshPoints[],
  parts?: Int8Array,
): Plane {
  const { width, height } = matte
  const frame = headFrame(own)
  const others = people.filter((points) => points !== own).map(headFrame)
  const jaw = jawRegion(matte, own, frame)
  const hair = readHair(picture, matte, own, frame)
  const place = placesOf(width, frame)
  const alike = likeHead(picture, matte, own, frame, others)
  const bodies = others.map((other) => placesOf(width, other))
  const near = dilate(matte, 2)
  const looks = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    // Just outside the matte the share counts too: a finer matte may reach further.
    if (near.data[i] === 0) continue
    const { below, beside } = place(i)
    if (below > cut.hair + 0.25) continue
    const long = (hair.long.data[i] as number) * fade(below, cut.hair, 0.25) * fade(beside, cut.aside - 0.1, 0.1)
    const round = fade(Math.hypot(beside / cut.aside, below / (below > 0 ? cut.beside : cut.above)), 0.9, 0.15)
    const oval = hair.covered ? fade(Math.hypot(beside / cut.scarf.aside, below / cut.scarf.below), 1, 0.05) : 0
    looks.data[i] = Math.max(round * (alike.data[i] as number), long, oval)
  }
  if (parts) for (const [i, part] of parts.entries()) if (part !== unknown) looks.data[i] = part
  const like = parts ? feather(looks, cut.soft * frame.eyesToChin) : looks
  const head = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    const keep = Math.max(jaw.data[i] as number, like.data[i] as number)
    if (near.data[i] === 0 || keep === 0) continue
    const { beside } = place(i)
    const theirs = beside > body.aside && bodies.some((at) => isBody(at(i))) ? fade(beside, body.aside, 0.1) : 1
    head.data[i] = theirs * keep * nearness((i % width) + 0.5, Math.floor(i / width) + 0.5, frame, others)
  }
  return largestPart(head, matte, frame)
}

/**
 * Somebody else's body: below their chin, as broad as shoulders are; and how far beside a head it
 * may begin.
 */
const body = { below: 1, beside: 2.6, aside: 0.85 } as const

const isBody = ({ below, beside }: { below: number; beside: number }) => below > body.below && beside < body.beside

/** Where pixels lie along a head's own axes, in distances from the eyes to the chin. */
function placesOf(width: number, { centre, down, eyesToChin: unit }: HeadFrame) {
  return (i: number): { below: number; beside: number } => {
    const [dx, dy] = [(i % width) + 0.5 - centre.x, Math.floor(i / width) + 0.5 - centre.y]
    return { below: (dx * down.x + dy * down.y) / unit, beside: Math.abs(dx * down.y - dy * down.x) / unit }
  }
}

/** 1 up to a limit, falling to 0 within `over` beyond it. */
function fade(value: number, limit: number, over: number): number {
  const t = Math.min(Math.max((value - limit) / over, 0), 1)
  return 1 - t * t * (3 - 2 * t)
}

/** The face with a rim of neck around the jaw, softly cut. */
function jawRegion(size: Plane, points: MeshPoints, { centre, down, eyesToChin: unit }: HeadFrame): Plane {
  const region = createPlane(size.width, size.height)
  const outline = outlineOf(points, 'face').map(({ x, y }): Point => {
    const [dx, dy] = [x - centre.x, y - centre.y]
    const below = dx * down.x + dy * down.y
    // The lower the point of the jaw, the more neck stays under it.
    const more = 1 + (cut.neck * unit * Math.min(Math.max(below / unit, 0), 1)) / Math.hypot(dx, dy)
    return { x: centre.x + dx * more, y: centre.y + dy * more }
  })
  fillPolygon(region, outline)
  return feather(region, cut.soft * unit)
}

/**
 * Up to which `headDistance` all is the head, and beyond which other things are looked for too; how
 * surely what lies between has the head's colours. In distances from the eyes to the chin: how high
 * hair surely stands, and how far below the eyes other things begin.
 */
const reach = { sure: 1, beyond: 1.5, least: 0.2, above: 1.45, below: 1.25 } as const

/**
 * 1 for what the head's own middle is, and what hangs together with it without looking like
 * something else that is there: an arm, clothes, somebody else's face.
 */
function likeHead(
  picture: Picture,
  matte: Plane,
  points: MeshPoints,
  frame: HeadFrame,
  others: readonly HeadFrame[],
): Plane {
  const { width, height } = matte
  const face = createPlane(width, height)
  fillPolygon(face, outlineOf(points, 'face'))
  const place = placesOf(width, frame)
  const counts = { own: count(), other: count() }
  const sure = new Uint8Array(matte.data.length)
  const aside = (0.62 * frame.width) / frame.eyesToChin
  for (let i = 0; i < matte.data.length; i++) {
    if ((matte.data[i] as number) < 0.5) continue
    const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5]
    const [{ below, beside }, away] = [place(i), headDistance(x, y, frame)]
    const crown = below < 0 && Math.hypot(below / reach.above, beside / aside) < 1
    const mine = crown || away < reach.sure
    if (mine || face.data[i] === 1) sure[i] = 1
    if ((matte.data[i] as number) < 0.95) continue
    const theirs = away > reach.beyond || others.some((other) => headDistance(x, y, other) < 0.8)
    if (face.data[i] === 1 || theirs || below > reach.below) add(counts.other, binOf(picture, i))
    else if (mine) add(counts.own, binOf(picture, i))
  }
  const [own, other] = [smoothHistogram(counts.own), smoothHistogram(counts.other)]
  const chance = createPlane(width, height)
  for (let i = 0; i < chance.data.length; i++) {
    const bin = binOf(picture, i)
    const [here, there] = [(own[bin] as number) + 1e-4, (other[bin] as number) + 1e-4]
    chance.data[i] = here / (here + there)
  }
  const unit = frame.eyesToChin
  const smooth = boxBlur(chance, Math.max(1, Math.round(0.05 * unit)))
  const seeds = Array.from(sure.keys()).filter((i) => sure[i] === 1)
  const grown = connectedTo(matte, seeds, (i) => {
    return (matte.data[i] as number) >= 0.02 && (sure[i] === 1 || (smooth.data[i] as number) >= reach.least)
  })
  return feather(dilate(planeFrom(grown, matte), 1), cut.soft * unit)
}

const bins = 12
/**
 * Rows in which hair is learned, and in which clothes are; how surely hair goes on, and how far
 * from the middle it can.
 */
const locks = { from: -0.7, to: 0.35, clothes: [1.5, 3], blur: 0.06, sure: 0.55, aside: 0.5 } as const
/** A scarf: what lies beside the cheeks also lies under the chin. */
const scarf = { beside: [0, 0.6, 1.1], under: [1.12, 1.4, 0.35], least: 0.1, alike: 0.68, naked: 0.3 } as const

/**
 * Where hair falls below the cheeks, 0 to 1: what hangs together with the hair beside the face and
 * has its colours rather than those of face and clothes (histograms and Bayes' rule, smoothed); and
 * whether a scarf covers hair and neck.
 */
function readHair(picture: Picture, matte: Plane, points: MeshPoints, frame: HeadFrame) {
  const { width, height } = matte
  const unit = frame.eyesToChin
  const face = meshArea(matte, points, 'face')
  const place = placesOf(width, frame)
  const counts = { hair: count(), skin: count(), clothes: count(), beside: count(), under: count() }
  const lower: number[] = []
  for (let i = 0; i < matte.data.length; i++) {
    if ((matte.data[i] as number) < 0.5) continue
    const { below, beside } = place(i)
    if (below < locks.from || below > locks.clothes[1]) continue
    if (below > locks.to - 0.1 && below < cut.hair + 0.3) lower.push(i)
    if ((matte.data[i] as number) < 0.95) continue
    const bin = binOf(picture, i)
    if (face.data[i] === 1) add(counts.skin, bin)
    else if (below < locks.to) add(counts.hair, bin)
    else if (below > locks.clothes[0]) add(counts.clothes, bin)
    if (face.data[i] === 0 && below > scarf.beside[0] && below < scarf.beside[1] && beside < scarf.beside[2]) {
      add(counts.beside, bin)
    }
    if (below > scarf.under[0] && below < scarf.under[1] && beside < scarf.under[2]) add(counts.under, bin)
  }
  const hair = smoothHistogram(counts.hair)
  const others = smoothHistogram(counts.skin.map((skin, bin) => skin + (counts.clothes[bin] as number)))
  const chance = createPlane(width, height)
  for (const i of lower) {
    const bin = binOf(picture, i)
    if (face.data[i] === 0) chance.data[i] = (hair[bin] as number) / sumOf(hair[bin], 1.5 * (others[bin] as number))
  }
  const smooth = boxBlur(chance, Math.max(1, Math.round(locks.blur * unit)))
  return {
    long: feather(grownDown(smooth, lower, place, frame), 0.04 * unit),
    covered: isScarf(counts.beside, counts.under, counts.skin, unit),
  }
}

const count = () => new Float32Array(bins ** 3)
const sumOf = (a: number | undefined, b: number) => (a ?? 0) + b + 1e-5
function add(counts: Float32Array, bin: number): void {
  counts[bin] = (counts[bin] as number) + 1
}

/**
 * Whether what lies beside the cheeks goes on under the chin: the Bhattacharyya coefficient of both
 * histograms, as long as there is hardly any bare skin.
 */
function isScarf(beside: Float32Array, under: Float32Array, skin: Float32Array, unit: number): boolean {
  const cloth = beside.reduce((sum, value) => sum + value, 0)
  if (cloth < scarf.least * unit * unit) return false
  const [above, below, bare] = [beside, under, skin].map(smoothHistogram) as [Float32Array, Float32Array, Float32Array]
  let alike = 0
  let naked = 0
  for (let bin = 0; bin < bare.length; bin++) {
    const [own, other, face] = [above[bin] as number, below[bin] as number, bare[bin] as number]
    alike += Math.sqrt(own * other)
    naked += (other * face) / sumOf(face, own)
  }
  return alike > scarf.alike && naked < scarf.naked
}

/**
 * 1 for what is surely hair and hangs together with hair beside the cheeks, to either side of the
 * neck.
 */
function grownDown(
  chance: Plane,
  lower: readonly number[],
  place: (i: number) => { below: number; beside: number },
  { width: faceWidth, eyesToChin: unit }: HeadFrame,
): Plane {
  const open = new Uint8Array(chance.data.length)
  const seeds: number[] = []
  const aside = (locks.aside * faceWidth) / unit
  for (const i of lower) {
    const { below, beside } = place(i)
    if ((chance.data[i] as number) < locks.sure || beside < 0.7 * aside) continue
    open[i] = 1
    if (below < locks.to && beside > aside) seeds.push(i)
  }
  return planeFrom(
    connectedTo(chance, seeds, (i) => open[i] === 1),
    chance,
  )
}

const planeFrom = (marks: Uint8Array, { width, height }: Plane): Plane => ({
  width,
  height,
  data: Float32Array.from(marks),
})

function binOf({ data }: Picture, index: number): number {
  const scale = bins / 256
  const red = Math.floor((data[4 * index] as number) * scale)
  const green = Math.floor((data[4 * index + 1] as number) * scale)
  const blue = Math.floor((data[4 * index + 2] as number) * scale)
  return (red * bins + green) * bins + blue
}

/** Shares that add up to 1, each colour lending some to its neighbours. */
function smoothHistogram(counts: Float32Array): Float32Array {
  const sum = counts.reduce((total, count) => total + count, 0) || 1
  let now = counts.map((count) => count / sum)
  for (const step of [1, bins, bins * bins]) {
    const next = now.slice()
    for (let i = 0; i < now.length; i++) {
      const place = Math.floor(i / step) % bins
      const before = place > 0 ? (now[i - step] as number) : 0
      const after = place < bins - 1 ? (now[i + step] as number) : 0
      next[i] = 0.6 * (now[i] as number) + 0.2 * before + 0.2 * after
    }
    now = next
  }
  return now
}

/** 1 where this head is the nearest by its own size, 0 where another one is, with a narrow seam. */
function nearness(x: number, y: number, own: HeadFrame, others: readonly HeadFrame[]): number {
  if (others.length === 0) return 1
  const mine = headDistance(x, y, own)
  let least = Number.POSITIVE_INFINITY
  for (const other of others) least = Math.min(least, headDistance(x, y, other))
  return Math.min(Math.max((least - mine) / 0.06 + 0.5, 0), 1)
}

/** Distance from a head's middle, in its own half widths and heights. */
function headDistance(x: number, y: number, { centre, down, eyesToChin: unit, width }: HeadFrame): number {
  const [dx, dy] = [x - centre.x, y - centre.y]
  const below = (dx * down.x + dy * down.y) / (1.15 * unit)
  const beside = (dx * down.y - dy * down.x) / (0.62 * width)
  return Math.hypot(below + 0.05, beside)
}

/** Drops what does not hang together with the face: hands, other people's hair, specks. */
function largestPart(head: Plane, matte: Plane, { centre }: HeadFrame): Plane {
  const { width, data } = head
  const middle = Math.round(centre.y) * width + Math.round(centre.x)
  const seen = connectedTo(head, [middle], (i) => (data[i] as number) * (matte.data[i] as number) >= 0.04)
  const kept = dilate(planeFrom(seen, head), 1)
  for (let i = 0; i < data.length; i++) if (kept.data[i] === 0) data[i] = 0
  return head
}
