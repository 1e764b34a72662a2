import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { addShadowBelow, compositeOver, darken, softShadow, solidPicture, standsFree } from '#engine/image/composite.ts'
import { boundsOf, clipBox, composeSimilarities, growBox, translationBy } from '#engine/image/geometry.ts'
import type { Matte, Picture, Plane, Size } from '#engine/image/picture.ts'
import {
  cropPicture,
  cropWithPadding,
  emptyPicture,
  flatten,
  pastePicture,
  resizeToCover,
} from '#engine/image/pixels.ts'
import { platformOf } from '#engine/platforms.ts'
import { createSticker, stickerEncoding } from '#engine/tasks/face-cutout/index.ts'
import { blurredBackground, cutOut, lensBackground } from '#engine/tasks/subject-matte/index.ts'
import type { Box } from '#shared/media.ts'
import { frameSubject, minVisibleAlpha } from '#tools/engine/frame-subject.ts'
import type { Output, Placement } from '#tools/engine/tool-engine.ts'
import type { BackgroundRemovalParams, Position, SideMargin } from '../contract/definition.ts'

const blurStrength = 0.018
/** At the largest distance from the subject. */
const lensStrength = 0.028
const ratios = { '1:1': { width: 1, height: 1 }, '4:5': { width: 4, height: 5 } }

interface Behind {
  own: Picture | undefined
  depth: Plane | undefined
}

/** `placement` maps the source into the result; stickers have none. */
export async function drawResult(
  source: Picture,
  matte: Plane | Matte,
  { own, depth }: Behind,
  params: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Drawing> {
  const { shape, background, format, position } = params
  const found = { subject: await cutOut(source, matte, host), matte, placement: translationBy(0, 0) }
  const { subject, matte: seen, placement } = position ? await moveTo(position, found, host) : found
  if (shape === 'sticker') {
    const picture = await createSticker(subject, host)
    if (!picture) throw new EngineError('engine.no_subject')
    return { picture, encoding: stickerEncoding }
  }
  const platform = platformOf(shape)
  const encoding = { format, ...(platform && { maxBytes: platform.maxBytes }) }
  const box = frameOf(seen, params) ?? (params.crop ? subjectBox(seen, params.margin) : undefined)
  // A frame may be larger than the photograph, and has more room for the shadow then.
  const part = box ? cropWithPadding(subject, box) : subject
  const placed = box ? shifted(placement, box) : placement
  const shadow =
    params.shadow &&
    softShadow(box ? alphaAsMatte(part) : seen, { strength: params.shadowOpacity, free: standsFree(seen) })
  const ground = await backgroundFor(source, matte, { own, depth }, params, host)
  const under = ground && box ? cropPicture(ground, box) : ground
  if (shadow) {
    if (under) darken(under, shadow)
    else addShadowBelow(part, shadow)
  }
  const behind = background.type === 'color' ? solidPicture(part.width, part.height, background.color) : under
  const drawn = { picture: behind ? compositeOver(part, behind) : part, encoding, placement: placed }
  return box ? await inPixelsOf(platform, drawn, host) : drawn
}

/** A matte of the picture's own alpha. */
function alphaAsMatte({ width, height, data }: Picture): Matte {
  const matte = { width, height, data: new Uint8Array(width * height) }
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = data[4 * i + 3] as number
  return matte
}

const shifted = (placement: Placement, { x, y }: Box) => composeSimilarities(placement, translationBy(-x, -y))

interface Found {
  subject: Picture
  matte: Plane | Matte
  placement: Placement
}

/** Enlarges or reduces the subject, and sets its box into a picture of the same size. */
async function moveTo({ scale, x, y }: Position, found: Found, host: EngineHost): Promise<Found> {
  const { width, height } = found.subject
  const box = boundsOf(found.matte, minVisibleAlpha(found.matte))
  if (!box) return found
  const by = scale === undefined ? 1 : scale * Math.min(width / box.width, height / box.height)
  const side = (length: number) => Math.max(1, Math.round(by * length))
  const part = await host.resize(cropPicture(found.subject, box), side(box.width), side(box.height))
  const [left, top] = [Math.round(x * (width - part.width)), Math.round(y * (height - part.height))]
  const subject = emptyPicture(width, height)
  pastePicture(subject, part, left, top)
  return {
    subject,
    matte: alphaAsMatte(subject),
    placement: { ...translationBy(left - by * box.x, top - by * box.y), scale: by },
  }
}

type Drawing = Pick<Extract<Output, { picture: Picture }>, 'picture' | 'encoding' | 'placement'>

/** Reduces the result to `maxPixels`, and takes its channels apart if the program asks for it. */
export async function asAsked(
  drawn: Drawing,
  { maxPixels = Number.POSITIVE_INFINITY, channels }: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Output[]> {
  const { width, height } = drawn.picture
  const scale = Math.sqrt(maxPixels / (width * height))
  const side = (length: number) => Math.max(1, Math.floor(scale * length))
  const smaller = { width: side(width), height: side(height) }
  const placement = drawn.placement ?? translationBy(0, 0)
  const sized = scale < 1 ? await inPixelsOf(smaller, { ...drawn, placement }, host) : drawn
  if (!channels) return [sized]
  const matte = { ...sized, picture: alphaOf(sized.picture) }
  if (channels === 'alpha') return [matte]
  return [
    { ...sized, label: 'color', picture: opaqueColours(sized.picture), encoding: { format: 'jpeg' } },
    { ...matte, label: 'alpha', encoding: { format: 'png' } },
  ]
}

/**
 * Continues the subject's colours to the left and right, where nothing is visible: JPEG would let
 * black run into the edges.
 */
function opaqueColours({ width, height, data }: Picture): Picture {
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const pixels = from.slice()
  const isVisible = (i: number) => (data[4 * i + 3] as number) > 0
  let last = pixels.findIndex((_, i) => isVisible(i))
  for (let y = 0; y < height; y++) {
    const start = y * width
    const first = pixels.subarray(start, start + width).findIndex((_, x) => isVisible(start + x))
    if (first >= 0) last = start + first
    for (let i = start; i < start + width; i++) {
      if (isVisible(i)) last = i
      else if (last >= 0) pixels[i] = from[last] as number
    }
  }
  const opaque = new Uint8ClampedArray(pixels.buffer)
  for (let i = 3; i < opaque.length; i += 4) opaque[i] = 255
  return { width, height, data: opaque }
}

function alphaOf({ width, height, data }: Picture): Picture {
  const grey = new Uint8ClampedArray(data.length)
  for (let i = 0; i < data.length; i += 4) {
    grey.fill(data[i + 3] as number, i, i + 3)
    grey[i + 3] = 255
  }
  return { width, height, data: grey }
}

async function inPixelsOf(
  size: Size | undefined,
  { picture, encoding, placement }: Drawing & { placement: Placement },
  host: EngineHost,
): Promise<Drawing> {
  if (!size) return { picture, encoding, placement: placement }
  const scaled = composeSimilarities(placement, { ...translationBy(0, 0), scale: size.width / picture.width })
  return { picture: await host.resize(picture, size.width, size.height), encoding, placement: scaled }
}

/** Undefined for the photograph's own shape, unless a program asks for margins beyond it. */
function frameOf(matte: Plane | Matte, params: BackgroundRemovalParams): Box | undefined {
  const { shape, margin, background } = params
  if (shape === 'own' && params.crop && params.margins) return boxWithMargins(matte, params.margins, background.type)
  if (shape === 'own' || shape === 'sticker') return undefined
  const bounded = background.type !== 'transparent' && background.type !== 'color'
  const { width, height } = platformOf(shape) ?? ratios[shape as keyof typeof ratios]
  return frameSubject(matte, { ratio: width / height, margin, bounded })
}

/** At the source's size; undefined for transparency and colours. */
async function backgroundFor(
  source: Picture,
  matte: Plane | Matte,
  { own, depth }: Behind,
  { background }: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Picture | undefined> {
  switch (background.type) {
    case 'transparent':
    case 'color':
      return undefined
    case 'blur':
      return blurredBackground(flatten(source, 255, 255, 255), matte, blurStrength, host)
    case 'lens':
      // Without a depth map everything is equally soft.
      return depth
        ? lensBackground(flatten(source, 255, 255, 255), matte, depth, lensStrength, host)
        : blurredBackground(flatten(source, 255, 255, 255), matte, blurStrength, host)
    case 'image':
      if (!own) throw new EngineError('upload.missing')
      return resizeToCover(flatten(own, 255, 255, 255), source, host.resize)
  }
}

/** On whole pixels; a background that ends with the photograph bounds it. */
function boxWithMargins(
  matte: Plane | Matte,
  margins: NonNullable<BackgroundRemovalParams['margins']>,
  background: BackgroundRemovalParams['background']['type'],
): Box | undefined {
  const bounds = boundsOf(matte, minVisibleAlpha(matte))
  if (!bounds) return undefined
  const { x, y, width, height } = bounds
  const of = (margin: SideMargin, side: number) => Math.round('pixels' in margin ? margin.pixels : margin.share * side)
  const [top, bottom] = [of(margins.top, height), of(margins.bottom, height)]
  const [left, right] = [of(margins.left, width), of(margins.right, width)]
  const box = { x: x - left, y: y - top, width: left + width + right, height: top + height + bottom }
  return background === 'transparent' || background === 'color' ? box : clipBox(box, matte)
}

function subjectBox(matte: Plane | Matte, margin: number): Box | undefined {
  const bounds = boundsOf(matte, minVisibleAlpha(matte))
  return bounds && clipBox(growBox(bounds, margin * Math.max(bounds.width, bounds.height)), matte)
}
