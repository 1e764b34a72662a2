import type { MeshPoints } from '#engine/host.ts'
import type { Point } from '#engine/image/geometry.ts'
import type { Plane } from '#engine/image/picture.ts'
import { valueAt } from '#engine/image/plane.ts'
import { distance, meanPoint, outlineOf, pointOf } from './regions.ts'

/**
 * Points are in pixels of the picture; (0, 0) is its upper left corner, not the centre of its first
 * pixel. "Left" and "right" are as shown in the picture.
 */
export interface HeadFrame {
  leftEye: Point
  rightEye: Point
  eyes: Point
  /** The lowest point of the face along its own axis. */
  chin: Point
  /** Point on the line of the eyes halfway between the face's midline and the eyes' midpoint. */
  centre: Point
  /** Radians; positive when the right eye is lower. */
  roll: number
  /** Unit vector from the crown to the chin. */
  down: Point
  eyesToChin: number
  width: number
}

export interface Head extends HeadFrame {
  /** Point above `centre` at the height of the topmost hair or headdress. */
  crown: Point
  height: number
  /**
   * `limited`: an implausible height (hats, towering hair, a matte with holes) was replaced by the
   * nearest plausible one; `cut`: the picture ends before the head does.
   */
  top: 'seen' | 'limited' | 'cut'
}

/** Crown heights above the eyes, in distances from the eyes to the chin. */
const crownHeights = { bald: 0.98, least: 0.92, usual: 1.22, most: 1.62 }
/** Minimum share of the face's width that is covered at the crown; single hairs stand higher. */
const crownWidth = 0.12
/** Half width of the search for hair around the middle, as a share of the face's width. */
const crownReach = 0.5

/**
 * The roll comes from the corners and lids of the eyes, the mesh's most reliable points; the chin
 * is the outline's lowest point along the face's own axis.
 */
export function headFrame(points: MeshPoints): HeadFrame {
  const leftEye = meanPoint([33, 133, 159, 145, 160, 144, 158, 153].map((index) => pointOf(points, index)))
  const rightEye = meanPoint([362, 263, 386, 374, 387, 373, 385, 380].map((index) => pointOf(points, index)))
  const eyes = meanPoint([leftEye, rightEye])
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
 * In the mesh's pixels; `scale` converts them to the matte's (alpha 0 to 1). Without a matte the
 * crown is at the usual height.
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

function along({ centre, down }: HeadFrame, below: number): Point {
  return { x: centre.x + below * down.x, y: centre.y + below * down.y }
}

/** Walks up until too little of the head is covered; interpolates within a pixel of the matte. */
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

/** Alpha with the centre of the first pixel at (0.5, 0.5); 0 outside. */
function alphaAt(matte: Plane, x: number, y: number): number {
  return x < 0 || y < 0 || x >= matte.width || y >= matte.height ? 0 : valueAt(matte, x - 0.5, y - 0.5)
}

/** Height by width of the lids (Soukupová and Čech 2016); about 0.3 open, below 0.15 closed. */
export function eyeOpenness(points: MeshPoints): { left: number; right: number } {
  const ratio = (pairs: readonly number[]) => {
    const apart = (at: number) =>
      distance(pointOf(points, pairs[at] as number), pointOf(points, pairs[at + 1] as number))
    return (apart(2) + apart(4) + apart(6)) / (3 * apart(0))
  }
  return { left: ratio(lids.left), right: ratio(lids.right) }
}

/** Corners of each eye, then three pairs of upper and lower lid points. */
const lids = { left: [33, 133, 160, 144, 159, 145, 158, 153], right: [263, 362, 387, 373, 386, 374, 385, 380] } as const

/** Distance of the inner lips by the mouth's width; teeth or throat show above about 0.08. */
export function mouthOpenness(points: MeshPoints): number {
  return distance(pointOf(points, 13), pointOf(points, 14)) / distance(pointOf(points, 78), pointOf(points, 308))
}

const usualSlope = 0.14

/** Radians: yaw and pitch from the outline's depths (0 looks straight into the camera). */
export function facePose(points: MeshPoints): { yaw: number; pitch: number; roll: number } {
  const slope = (from: number, to: number): number => {
    const [a, b] = [points[from], points[to]] as [MeshPoints[number], MeshPoints[number]]
    return Math.atan2(b[2] - a[2], Math.hypot(b[0] - a[0], b[1] - a[1]))
  }
  return { yaw: slope(234, 454), pitch: slope(10, 152) - usualSlope, roll: headFrame(points).roll }
}

/**
 * From pixel index to distances from the eyes to the chin: below the eyes and beside the middle.
 * `width` is the picture's width.
 */
export function headCoordinates(width: number, { centre, down, eyesToChin: unit }: HeadFrame) {
  return (i: number): { below: number; beside: number } => {
    const [dx, dy] = [(i % width) + 0.5 - centre.x, Math.floor(i / width) + 0.5 - centre.y]
    return { below: (dx * down.x + dy * down.y) / unit, beside: Math.abs(dx * down.y - dy * down.x) / unit }
  }
}
