import { type LightProbe, probeScale, type Surroundings, viewProbe } from '#engine/image/light-probe.ts'
import { clamp } from '#engine/image/numbers.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { createSeededRandom } from '#engine/image/random.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { type AnyLocationId, isAddedLocation, type LocationId } from '../../scenes.ts'
import { addBokeh, type Canvas, createCanvas, defocus } from './canvas.ts'
import { develop, lightOfLevels } from './develop-scene.ts'
import { luminance, neutralWishes, type Wishes } from './scene.ts'

interface Location {
  /** Longitudes in degrees that make a good background, best first. */
  directions: readonly number[]
  /** Brightness of the developed picture in stops around a medium grey. */
  exposure: number
  /** Row of the horizon where the location is not seen from eye height, in shares of the height. */
  horizon?: number
  /** Colour grade as factors of red, green and blue, such as moonlight. */
  balance?: readonly [number, number, number]
  /** Stars added to a square of the picture's height; the probe's own are below its pixels. */
  stars?: number
}

export const locations: Readonly<Record<LocationId, Location>> = {
  lobby: { directions: [-60, 30, 0, 60, -35, 80], exposure: 0 },
  bridge: { directions: [-60, 105, -30, 30, -140, 75], exposure: 0.1 },
  apartment: { directions: [58, 105, -28, 150, 32, -150], exposure: 0.1 },
  esplanade: { directions: [50, -150, 115, 172, 25, -120], exposure: -0.1 },
  hall: { directions: [135, -130, 45, 75, -30, 150], exposure: -0.1 },
  park: { directions: [-60, -140, -100, 160, -20, -175], exposure: -0.1 },
  forest: { directions: [5, -40, 120, 20, -65, -170], exposure: -0.25 },
  beach: { directions: [150, 95, -165, 120, 80, 180], exposure: 0.5 },
  'beach-sunset': { directions: [50, 22, 44, 28, 58, 8], exposure: 0 },
  'cafe-terrace': { directions: [-60, -90, -110, -45, -75, -100], exposure: -0.3 },
  'rice-field': { directions: [65, 5, -90, 80, 35, 95], exposure: 0 },
  sunrise: { directions: [-60, 65, 35, 95, 0, 130], exposure: -0.1 },
  sunset: { directions: [35, 75, 105, 15, 55, 125], exposure: -0.25 },
  venice: { directions: [95, 60, 120, 15, 140, -100], exposure: -0.1 },
  sky: { directions: [-60, -100, 150, 100, 20, -140], exposure: 0, horizon: 0.98 },
  city: { directions: [10, 75, 55, -20, 110, 40], exposure: -0.1 },
  dawn: { directions: [-40, 140, 25, -100, 0, 60], exposure: -0.4 },
  night: {
    directions: [25, -120, 120, 150, -90, 60],
    exposure: -2.2,
    horizon: 0.7,
    balance: [0.7, 0.86, 1.3],
    stars: 1100,
  },
  lab: { directions: [-150, 60, 110, 25, -75, 150], exposure: -0.1 },
  workshop: { directions: [-60, 0, 90, 30, 120, -90], exposure: -0.1 },
  warehouse: { directions: [60, -100, 120, -30, 150, -150], exposure: -0.2 },
  'studio-room': { directions: [-90, -50, 110, 150, -130, 0], exposure: 0 },
}

/** An operator's probe has no chosen directions; its middle comes first. */
const added: Location = { directions: [0, 60, -60, 120, -120, 180], exposure: 0 }

export const locationOf = (id: AnyLocationId): Location => (isAddedLocation(id) ? added : locations[id])

/** Position of the camera as the subject's own picture shows it. */
export interface SubjectCamera {
  /** Row of the subject's eyes, where the horizon is: shares of the height from the top. */
  horizon: number
  /** Vertical field of view in radians. */
  fov: number
  /** Radius of the blur of far objects in picture heights. */
  blur: number
}

/** Height of a head with hair, and diameter of the lens opening, in metres. */
const headHeight = 0.24
const aperture = 0.03
/** Fields of view of a close portrait and of a whole figure, in radians. */
const fields = { near: 0.82, far: 1.02 } as const
const widestField = 1.45

/**
 * Camera of a picture whose subject has a head of `head` picture heights with its eyes at the row
 * `eyes`; of a thing if both are absent, which is seen from slightly above.
 */
export function cameraOf({ width, height }: Size, seen?: { eyes: number; head: number }): SubjectCamera {
  const head = clamp(seen?.head ?? 0.25, 0.1, 0.6)
  const near = (head - 0.1) / 0.5
  const widest = 2 * Math.atan((Math.tan(widestField / 2) * height) / Math.max(width, height))
  return {
    horizon: clamp(seen?.eyes ?? 0.36, 0.12, 0.6),
    fov: Math.min(widest, fields.far + (fields.near - fields.far) * near),
    // Far points become discs of the lens's diameter in the subject's plane (thin lens).
    blur: (aperture / 2) * (head / headHeight),
  }
}

/** Pixels of the probe per blur radius below which its resolution shows. */
const leastBlur = 2.1
/** Highlights above this many times the medium grey are cut, so that a sun stays a disc. */
const highlight = 60
const grey = 0.22
/** Added drama: light probes are flatter than photographs. */
const contrast = 0.5
const area = 300_000

interface LocationRequest extends Size {
  id: AnyLocationId
  seed: number
  wishes: Wishes
  camera: SubjectCamera
  /** White balance as factors of red, green and blue. */
  balance?: readonly [number, number, number]
  /** Strength of the grain, 1 is that of drawn scenes. */
  grain?: number | undefined
  area?: number
}

/** Direction of a variant's view in radians; more variants than directions look beside them. */
export function directionOf(id: AnyLocationId, seed: number): number {
  const { directions } = locationOf(id)
  const round = Math.floor((seed - 1) / directions.length)
  const beside = round === 0 ? 0 : createSeededRandom(seed).between(-14, 14)
  return (((directions[(seed - 1) % directions.length] as number) + beside) * Math.PI) / 180
}

/** The location as a camera sees it behind the subject, out of focus. */
export function renderLocation(surroundings: Surroundings, request: LocationRequest): Picture {
  const { width, height, seed, wishes, camera, grain = 1 } = request
  const size = fitArea({ width, height }, request.area ?? area)
  const light = surroundings.photo
    ? photographed(surroundings.photo, size, surroundings.exposure ?? 0, request)
    : seenInProbe(surroundings, size, request)
  const finest = surroundings.photo ? 0 : leastBlur / (probeScale(surroundings.probe) * camera.fov)
  const blurred = defocus(light, Math.max(finest, camera.blur) * 1.35 ** wishes.blur, 0)
  if (surroundings.photo) return develop(blurred, width, height, { wishes, seed, vignette: 0, grain })
  const { exposure, stars } = locationOf(request.id)
  expose(blurred, grey * 2 ** (exposure + (surroundings.exposure ?? 0)))
  if (stars) addStars(blurred, stars, seed)
  return develop(blurred, width, height, {
    wishes: { ...wishes, drama: wishes.drama + contrast },
    seed,
    vignette: 0.12,
    grain,
    ...(request.balance && { balance: request.balance }),
  })
}

/** Lowest horizon where the sky is named: the camera is low and looks up. */
const skyHorizon = 0.82

function seenInProbe({ probe }: Surroundings, size: Size, { id, seed, camera, wishes }: LocationRequest): Canvas {
  const focal = 0.5 / Math.tan(camera.fov / 2)
  const { horizon = wishes.sky > 0 ? skyHorizon : camera.horizon } = locationOf(id)
  const pitch = Math.atan((0.5 - horizon) / focal)
  const view = { yaw: directionOf(id, seed), pitch, fov: camera.fov }
  return { ...size, ...viewProbe(probe, view, size, highlight * meanLight(probe)) }
}

/** Radius of the faintest star, and its growth with the root of the light, in picture heights. */
const starSize = { least: 0.0018, growth: 0.0016 } as const
/** Light of the faintest and brightest stars, and the power by which the faint outnumber these. */
const starLight = { least: 0.12, most: 2, power: 0.7 } as const
/** Light of the sky, as a share of its mean, below which something stands before the stars. */
const beforeStars = 0.75

/** Adds stars wherever it is as bright as the sky in the upper rows. In place. */
function addStars(canvas: Canvas, density: number, seed: number): void {
  const { width, height, green } = canvas
  const chance = createSeededRandom(seed + 31)
  const upper = green.subarray(0, width * Math.ceil(0.2 * height))
  const sky = upper.reduce((sum, value) => sum + value, 0) / upper.length
  for (let i = (density * width) / height; i > 0; i--) {
    const [x, y] = [chance.next(), chance.next()]
    const light = Math.min(starLight.most, starLight.least * chance.next() ** -starLight.power)
    const tint = chance.between(-0.12, 0.12)
    const behind = green[Math.floor(y * height) * width + Math.floor(x * width)] as number
    if (behind < beforeStars * sky) continue
    const radius = starSize.least + starSize.growth * Math.sqrt(light)
    addBokeh(canvas, ((x - 0.5) * width) / height, y, radius, [light * (1 + tint), light, light * (1 - tint)])
  }
}

/** Parts of a photograph that variants show: enlargement, and position in what is left over. */
const parts = [
  { zoom: 1, across: 0.5, down: 0.5 },
  { zoom: 1.2, across: 0.1, down: 0.6 },
  { zoom: 1.2, across: 0.9, down: 0.6 },
  { zoom: 1.35, across: 0.5, down: 0.7 },
  { zoom: 1.1, across: 0, down: 0.5 },
  { zoom: 1.1, across: 1, down: 0.5 },
] as const

/** The largest part of the picture's shape, as the light that is developed to the same levels. */
function photographed(photo: Picture, size: Size, exposure: number, { seed }: LocationRequest): Canvas {
  const { zoom, across, down } = parts[(seed - 1) % parts.length] as (typeof parts)[number]
  const scale = Math.min(photo.width / size.width, photo.height / size.height) / zoom
  const [width, height] = [size.width * scale, size.height * scale]
  const part = { x: across * (photo.width - width), y: down * (photo.height - height), width, height }
  const { data } = resamplePart(photo, part, size.width, size.height)
  const levels = lightOfLevels()
  const gain = 2 ** exposure
  const canvas = createCanvas(size.width, size.height)
  for (let i = 0, at = 0; i < canvas.red.length; i++, at += 4) {
    canvas.red[i] = gain * (levels[data[at] as number] as number)
    canvas.green[i] = gain * (levels[data[at + 1] as number] as number)
    canvas.blue[i] = gain * (levels[data[at + 2] as number] as number)
  }
  return canvas
}

const referenceSize = { width: 1024, height: 768 } as const

/** A sharp view of a location, for generative models that take a picture of the wanted place. */
export function locationReference(around: Surroundings, id: AnyLocationId, seed: number): Picture {
  if (around.photo) return around.photo
  const camera = { ...cameraOf(referenceSize), blur: 0 }
  return renderLocation(around, { ...referenceSize, id, seed, wishes: neutralWishes(), camera, grain: 0 })
}

/** Geometric mean of the luminance. */
function meanLight({ data }: LightProbe): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i < data.length; i += 3 * 13, count++) {
    sum += Math.log(1e-4 + luminance([data[i] as number, data[i + 1] as number, data[i + 2] as number]))
  }
  return Math.exp(sum / count)
}

/** Scales the light in place so that its geometric mean becomes `middle`. */
function expose({ red, green, blue }: Canvas, middle: number): void {
  let [sum, count] = [0, 0]
  for (let i = 0; i < red.length; i += 7, count++) {
    sum += Math.log(1e-4 + luminance([red[i] as number, green[i] as number, blue[i] as number]))
  }
  const gain = middle / Math.exp(sum / count)
  for (const plane of [red, green, blue]) {
    for (let i = 0; i < plane.length; i++) plane[i] = (plane[i] as number) * gain
  }
}
