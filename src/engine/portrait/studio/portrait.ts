import type { EngineHost } from '../../host.ts'
import type { Picture, Plane } from '../../picture.ts'
import { cropPicture, fitWithin } from '../../pixels.ts'
import { boxBlur, createPlane, resizeSmooth, shrink } from '../../plane.ts'
import { estimateNoise } from '../../restore/noise.ts'
import { meshBox, placeMesh } from '../mesh-geometry.ts'
import { faceSurface } from '../skin.ts'
import { renderBackdrop } from './backdrop.ts'
import type { BackdropName } from './backdrops.ts'
import type { Frame } from './frame.ts'
import { relight } from './relight.ts'
import { retouchSkin, sharpenEyes } from './retouch.ts'
import type { HeadView } from './view.ts'

/** Width of the face in pixels at which light and skin are worked out. */
const workWidth = 120

export interface PortraitOptions {
  backdrop: BackdropName
  /** How far skin is evened out, and how far the light is changed, 0 to 1. */
  retouch: number
  light: number
}

/** A finished headshot: the framed view in studio light before a backdrop, opaque. */
export async function renderPortrait(
  view: HeadView,
  frame: Frame,
  options: PortraitOptions,
  host: EngineHost,
): Promise<Picture> {
  const { width, height } = frame
  const subject = framed(view.picture, frame)
  const mesh = placeMesh(view.mesh, frame.x, frame.y, 1)
  const noise = estimateNoise(lumaOf(subject))
  await improve(subject, mesh, options, host)
  const backdrop = renderBackdrop(options.backdrop, width, height, Math.min(0.02, Math.max(0.005, noise)))
  compose(subject, backdrop)
  return backdrop
}

/** The part of a picture in a frame; transparent beyond the picture. */
function framed(picture: Picture, { x, y, width, height }: Frame): Picture {
  const data = new Uint8ClampedArray(4 * width * height)
  const left = Math.max(0, x)
  const right = Math.min(picture.width, x + width)
  for (let row = Math.max(0, y); row < Math.min(picture.height, y + height); row++) {
    const from = 4 * (row * picture.width + left)
    data.set(picture.data.subarray(from, from + 4 * (right - left)), 4 * ((row - y) * width + left - x))
  }
  return { width, height, data }
}

/** Retouches a face and its light, in place; what is transparent stays so. */
export async function improve(
  picture: Picture,
  mesh: HeadView['mesh'],
  { retouch, light }: Pick<PortraitOptions, 'retouch' | 'light'>,
  host: EngineHost,
): Promise<void> {
  const box = meshBox(mesh)
  const size = fitWithin(picture, Math.min(1, workWidth / box.width) * Math.max(picture.width, picture.height))
  const scale = size.width / picture.width
  const small = await host.resize({ ...picture, data: picture.data.slice() }, size.width, size.height)
  const place = placeMesh(mesh, 0, 0, scale)
  const surface = faceSurface(small, place)
  retouchSkin(picture, mesh, surface.skin, retouch)
  relight(picture, small, place, surface, light)
  sharpenEyes(picture, mesh, Math.max(retouch, 0.5 * light))
}

/**
 * A group as it stands, cut out, before one backdrop: each face is retouched, and the light follows the first, the largest. `meshes` are in
 * pixels of the cut-out.
 */
export async function renderGroup(
  cut: Picture,
  meshes: readonly HeadView['mesh'][],
  options: PortraitOptions,
  host: EngineHost,
): Promise<Picture> {
  const subject = { ...cut, data: cut.data.slice() }
  const noise = estimateNoise(lumaOf(subject))
  for (const [i, mesh] of meshes.entries()) {
    await improve(subject, mesh, i === 0 ? options : { ...options, light: 0 }, host)
  }
  const grain = Math.min(0.02, Math.max(0.005, noise))
  const backdrop = renderBackdrop(options.backdrop, cut.width, cut.height, grain)
  compose(subject, backdrop)
  return backdrop
}

/** How much of the backdrop's light wraps around the subject, and how dark the subject makes the wall behind it. */
const wrap = 0.16
const shade = 0.16

/**
 * Lays a subject over a backdrop, in place of the latter. What lies behind the subject gets a little of its shadow, and the light of
 * the backdrop wraps around its edge, as it does where both are photographed together.
 */
function compose(subject: Picture, backdrop: Picture): void {
  const { width, height, data } = backdrop
  const small = fitWithin(subject, 256)
  const alpha = createPlane(width, height)
  for (let i = 0; i < alpha.data.length; i++) alpha.data[i] = (subject.data[4 * i + 3] as number) / 255
  const rough = shrink(alpha, small.width, small.height)
  const reach = Math.max(1, Math.round(0.05 * small.width))
  const cover = resizeSmooth(boxBlur(boxBlur(rough, reach), reach), width, height)
  const near = Math.max(1, Math.round(0.006 * width))
  const edge = boxBlur(boxBlur(alpha, near), near)
  const behind = [0, 1, 2].map((channel) => softChannel(backdrop, channel, small))
  for (let i = 0; i < alpha.data.length; i++) {
    const own = alpha.data[i] as number
    const shadow = 1 - shade * (cover.data[i] as number) * (1 - own)
    // Nothing but the rim lets light around: half inside, none beyond.
    const rim = own * Math.max(0, 1 - (edge.data[i] as number)) * 2 * wrap
    for (let c = 0; c < 3; c++) {
      const wall = (data[4 * i + c] as number) * shadow
      const body = subject.data[4 * i + c] as number
      const lit = body + rim * ((behind[c] as Plane).data[i] as number) * (1 - body / 255)
      data[4 * i + c] = wall + own * (lit - wall)
    }
  }
}

function softChannel(picture: Picture, channel: number, small: { width: number; height: number }): Plane {
  // Backdrops are soft: one pixel of each block is as good as their mean.
  const plane = createPlane(small.width, small.height)
  for (let y = 0, i = 0; y < small.height; y++) {
    const row = Math.floor(((y + 0.5) * picture.height) / small.height) * picture.width
    for (let x = 0; x < small.width; x++, i++) {
      const at = row + Math.floor(((x + 0.5) * picture.width) / small.width)
      plane.data[i] = picture.data[4 * at + channel] as number
    }
  }
  const soft = boxBlur(plane, Math.max(1, Math.round(0.04 * small.width)))
  return resizeSmooth(soft, picture.width, picture.height)
}

/** Brightness of the middle of a picture, where the face is. */
function lumaOf(picture: Picture): Plane {
  const box = {
    x: Math.round(0.3 * picture.width),
    y: Math.round(0.2 * picture.height),
    width: Math.max(1, Math.round(0.4 * picture.width)),
    height: Math.max(1, Math.round(0.3 * picture.height)),
  }
  const { width, height, data } = cropPicture(picture, box)
  const luma = createPlane(width, height)
  for (let i = 0; i < luma.data.length; i++) {
    luma.data[i] =
      (0.299 * (data[4 * i] as number) + 0.587 * (data[4 * i + 1] as number) + 0.114 * (data[4 * i + 2] as number)) /
      255
  }
  return luma
}
