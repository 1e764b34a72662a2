import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { castBelow, darken, layOver, plainPicture, softShadow } from '#engine/image/composite.ts'
import { boundsOf, clipBox, growBox } from '#engine/image/geometry.ts'
import { isMatte, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture, flatten } from '#engine/image/pixels.ts'
import { blurredBackground, cutOut } from '#engine/tasks/subject-matte/index.ts'
import type { BackgroundRemovalParams } from '../contract/definition.ts'

const blurStrength = 0.018

/**
 * Draws the cut-out on the wanted background; the size is the source's unless it is cropped to the
 * subject.
 */
export async function drawResult(
  source: Picture,
  matte: Plane | Matte,
  own: Picture | undefined,
  params: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Picture> {
  const subject = await cutOut(source, matte, host)
  const shadow = params.shadow ? softShadow(matte) : undefined
  const ground = await backgroundFor(source, matte, own, params, host)
  if (!ground && shadow) castBelow(subject, shadow)
  if (ground && shadow) darken(ground, shadow)
  const whole = ground ? layOver(subject, ground) : subject
  return params.crop ? cropToSubject(whole, matte, params.margin) : whole
}

/** An opaque picture of the source's size, or undefined for transparency. */
async function backgroundFor(
  source: Picture,
  matte: Plane | Matte,
  own: Picture | undefined,
  { background }: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Picture | undefined> {
  const { width, height } = source
  switch (background.type) {
    case 'transparent':
      return undefined
    case 'color':
      return plainPicture(width, height, background.color)
    case 'blur':
      return blurredBackground(flatten(source, 255, 255, 255), matte, blurStrength, host)
    case 'image':
      if (!own) throw new EngineError('upload.missing')
      return cover(flatten(own, 255, 255, 255), width, height, host)
  }
}

/** Scaled to cover width × height, what overhangs cut off evenly. */
async function cover(picture: Picture, width: number, height: number, host: EngineHost): Promise<Picture> {
  const scale = Math.max(width / picture.width, height / picture.height)
  const part = { width: Math.min(picture.width, width / scale), height: Math.min(picture.height, height / scale) }
  const x = (picture.width - part.width) / 2
  const y = (picture.height - part.height) / 2
  const box = clipBox({ x, y, ...part }, picture)
  const resized = await host.resize(box ? cropPicture(picture, box) : picture, width, height)
  return resized.data === picture.data ? { ...resized, data: resized.data.slice() } : resized
}

function cropToSubject(picture: Picture, matte: Plane | Matte, margin: number): Picture {
  const bounds = boundsOf(matte, isMatte(matte) ? 0.05 * 255 : 0.05)
  const box = bounds && clipBox(growBox(bounds, margin * Math.max(bounds.width, bounds.height)), picture)
  return box ? cropPicture(picture, box) : picture
}
