import type { MeshPoints } from '#engine/host.ts'
import type { Point } from '#engine/image/geometry.ts'
import type { Plane } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import { distance, mean, outlineOf, pointOf } from './regions.ts'

/**
 * A head as its mesh shows it. Points are in pixels of the picture, 0, 0 being its upper left
 * corner (not the middle of its first pixel); "left" and "right" are as the picture shows them.
 */
export interface HeadFrame {
  leftEye: Point
  rightEye: Point
  /** Half way between the eyes. */
  eyes: Point
  /** The lowest point of the face along its own axis. */
  chin: Point
  /**
   * Where the middle of the face crosses the line of the eyes: half way between its sides and
   * between its eyes.
   */
  centre: Point
  /**
   * Angle of the line of the eyes against the horizontal in radians; positive when the right eye is
   * lower.
   */
  roll: number
  /** Unit vector from the crown to the chin. */
  down: Point
  /** Distance from the line of the eyes to the chin along `down`. */
  eyesToChin: number
  /** Width of the face at its widest. */
  width: number
}

/** A head with its crown, hair included. */
export interface Head extends HeadFrame {
  /** Above `centre`, at the height of the topmost hair or headdress. */
  crown: Point
  /** From crown to chin along `down`. */
  height: number
  /**
   * Whether the crown was seen; `limited` where no head is as low or as high as what was found
   * (hats, towering hair, a matte with holes), so that the nearest plausible height was taken;
   * `cut` where the picture ends before the head does.
   */
  top: 'seen' | 'limited' | 'cut'
}

/**
 * Distance from the eyes to the crown as a share of that from the eyes to the chin, for heads with
 * little and with much hair.
 */
const crownHeights = { bald: 0.98, least: 0.92, usual: 1.22, most: 1.62 }
/**
 * The crown is where at least this share of the face's width is covered; single hairs stand higher.
 */
const crownWidth = 0.12
/** Hair is looked for this far to either side of the middle, as a share of the face's width. */
const crownReach = 0.5

/**
 * Measures a head on its mesh. The roll comes from the corners and lids of the eyes, which the mesh
 * places most reliably; the chin is the lowest point of the face's outline along its own axis.
 */
export function headFrame(points: MeshPoints): HeadFrame {
  const leftEye = mean([33, 133, 159, 145, 160, 144, 158, 153].map((index) => pointOf(points, index)))
  const rightEye = mean([362, 263, 386, 374, 387, 373, 385, 380].map((index) => pointOf(points, index)))
  const eyes = mean([leftEye, rightEye])
  const roll = Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x)
  const down = { x: -Math.sin(roll), y: Math.cos(roll) }
  const along = ({ x, y }: Point) => (x - eyes.x) * down.x + (y - eyes.y) * down.y
  const across = ({ x, y }: Point) => (x - eyes.x) * down.y - (y - eyes.y) * down.x
  const outline = outlineOf(points, 'face')
  const chin = outline.reduce((lowest, point) => (along(point) > along(lowest) ? point : lowest))
  const sides = outline.map(across)
  const [least, most] = [Math.min(...sides), Math.max(...sides)]
  const aside = (least + most) / 4
  return {
    leftEye,
    rightEye,
    eyes,
    chin,
    centre: { x: eyes.x + aside * down.y, y: eyes.y - aside * down.x },
    roll,
    down,
    eyesToChin: along(chin),
    width: most - least,
  }
}

/**
 * Measures a head on its mesh and on the matte of the person (alpha 0 to 1). `scale` is from the
 * mesh's pixels to the matte's, in which the head is looked for; the result is in the mesh's
 * pixels. Without a matte the crown is where that of most people is.
 */
export function measureHead(points: MeshPoints, matte?: Plane, scale = 1): Head {
  const frame = headFrame(points)
  const { eyesToChin } = frame
  const found = matte ? findCrown(frame, matte, scale) : { above: crownHeights.usual * eyesToChin, cut: false }
  const least = crownHeights.least * eyesToChin
  const most = crownHeights.most * eyesToChin
  const above = found.above < least ? crownHeights.bald * eyesToChin : Math.min(found.above, most)
  const top = found.cut ? 'cut' : above === found.above ? 'seen' : 'limited'
  return { ...frame, crown: along(frame, -above), height: above + eyesToChin, top }
}

/** The point of the head's middle line so many pixels below the line of the eyes. */
function along({ centre, down }: HeadFrame, below: number): Point {
  return { x: centre.x + below * down.x, y: centre.y + below * down.y }
}

/**
 * Walks up from the forehead until too little of the head's width is covered; to a fraction of a
 * pixel of the matte.
 */
function findCrown(frame: HeadFrame, matte: Plane, scale: number): { above: number; cut: boolean } {
  const { eyesToChin, width, down } = frame
  const step = 1 / scale
  const half = Math.max(2, Math.ceil(crownReach * width * scale))
  const wanted = Math.max(1, Math.round(crownWidth * width * scale))
  const row = new Float32Array(2 * half + 1)
  let before = 1
  for (let above = 0.5 * eyesToChin; above < 2.2 * eyesToChin; above += step) {
    const { x, y } = along(frame, -above)
    if (x < 0 || y < 0 || x * scale >= matte.width || y * scale >= matte.height) return { above, cut: before > 0.5 }
    for (let i = -half; i <= half; i++) {
      row[i + half] = alphaAt(matte, x * scale + i * down.y, y * scale - i * down.x)
    }
    row.sort()
    const now = row[row.length - wanted] as number
    if (now < 0.5) {
      const part = before > now ? (before - 0.5) / (before - now) : 1
      return { above: above - step + part * step, cut: false }
    }
    before = now
  }
  return { above: 2.2 * eyesToChin, cut: false }
}

/** 0 outside; the middle of the first pixel is at 0.5, 0.5. */
function alphaAt(matte: Plane, x: number, y: number): number {
  return x < 0 || y < 0 || x >= matte.width || y >= matte.height ? 0 : valueAt(matte, x - 0.5, y - 0.5)
}

/**
 * How far the eyes are open: height over width of each lid opening (Soukupová and Čech 2016); about
 * 0.3 open, below 0.15 closed.
 */
export function eyeOpenness(points: MeshPoints): { left: number; right: number } {
  const ratio = (pairs: readonly number[]) => {
    const apart = (at: number) =>
      distance(pointOf(points, pairs[at] as number), pointOf(points, pairs[at + 1] as number))
    return (apart(2) + apart(4) + apart(6)) / (3 * apart(0))
  }
  return { left: ratio(lids.left), right: ratio(lids.right) }
}

/** Corners of each eye, then three points of the upper lid, each with that of the lower one. */
const lids = { left: [33, 133, 160, 144, 159, 145, 158, 153], right: [263, 362, 387, 373, 386, 374, 385, 380] } as const

/**
 * How far the mouth is open: distance of the inner lips over its width; above about 0.08 teeth or
 * throat show.
 */
export function mouthOpenness(points: MeshPoints): number {
  return distance(pointOf(points, 13), pointOf(points, 14)) / distance(pointOf(points, 78), pointOf(points, 308))
}

/** The slope from forehead to chin of a face that looks straight ahead. */
const usualSlope = 0.14

/**
 * How a face is turned: to the side and up or down by the depths of its rims (radians; 0 when it
 * looks straight into the camera), and tilted in the picture's plane.
 */
export function facePose(points: MeshPoints): { yaw: number; pitch: number; roll: number } {
  const slope = (from: number, to: number): number => {
    const [a, b] = [points[from], points[to]] as [MeshPoints[number], MeshPoints[number]]
    return Math.atan2(b[2] - a[2], Math.hypot(b[0] - a[0], b[1] - a[1]))
  }
  return { yaw: slope(234, 454), pitch: slope(10, 152) - usualSlope, roll: headFrame(points).roll }
}

/**
 * Where the pixels of a picture so wide lie along a head's own axes, in distances from the eyes to
 * the chin: below the line of the eyes, and to either side of the middle.
 */
export function placesOf(width: number, { centre, down, eyesToChin: unit }: HeadFrame) {
  return (i: number): { below: number; beside: number } => {
    const [dx, dy] = [(i % width) + 0.5 - centre.x, Math.floor(i / width) + 0.5 - centre.y]
    return { below: (dx * down.x + dy * down.y) / unit, beside: Math.abs(dx * down.y - dy * down.x) / unit }
  }
}
