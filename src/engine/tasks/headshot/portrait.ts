import type { EngineHost } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { alphaPlane, cropBeyond, cropPicture, fitWithin, pastePlane } from '#engine/image/pixels.ts'
import { boxBlur, feather, shrink, smoothRows } from '#engine/image/plane.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { faceSurface } from '#engine/tasks/faces/skin.ts'
import { type BackdropName, renderBackdrop } from './backdrop.ts'
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
  const subject = cropBeyond(view.picture, frame)
  const mesh = placeMesh(view.mesh, frame.x, frame.y, 1)
  await improve(subject, mesh, options, host)
  return compose(subject, renderBackdrop(options.backdrop, width, height))
}

/** Retouches a face and its light, in place; what is transparent stays so. */
async function improve(
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
  const { skin, hull } = surfaceIn(small, place)
  retouchSkin(picture, mesh, skin, retouch)
  relight(picture, small, place, { skin, hull }, light)
  sharpenEyes(picture, mesh, Math.max(retouch, 0.5 * light))
}

/**
 * How much around a face is looked at to tell skin from what lies before it, as a share of its
 * width.
 */
const aroundFace = 0.25

/** Face and skin at the size of the picture, worked out where the face is. */
function surfaceIn(picture: Picture, mesh: HeadView['mesh']): { skin: Plane; hull: Plane } {
  const face = meshBox(mesh)
  const box = clipBox(growBox(face, aroundFace * face.width), picture)
  const empty = () => createPlane(picture.width, picture.height)
  if (!box) return { skin: empty(), hull: empty() }
  const { skin, hull } = faceSurface(cropPicture(picture, box), placeMesh(mesh, box.x, box.y, 1))
  return { skin: pastePlane(empty(), skin, box), hull: pastePlane(empty(), hull, box) }
}

/**
 * A group as it stands, cut out, before one backdrop: each face is retouched, and the light follows
 * the first, the largest. `meshes` are in pixels of the cut-out.
 */
export async function renderGroup(
  cut: Picture,
  meshes: readonly HeadView['mesh'][],
  options: PortraitOptions,
  host: EngineHost,
): Promise<Picture> {
  const subject = { ...cut, data: cut.data.slice() }
  for (const [i, mesh] of meshes.entries()) {
    await improve(subject, mesh, i === 0 ? options : { ...options, light: 0 }, host)
  }
  return compose(subject, renderBackdrop(options.backdrop, cut.width, cut.height))
}

/**
 * How much of the backdrop's light wraps around the subject, and how dark the subject makes the
 * wall behind it.
 */
const wrap = 0.16
const shade = 0.16

/**
 * Lays a subject over a backdrop, in place of the latter. What lies behind the subject gets a
 * little of its shadow, and the light of the backdrop wraps around its edge, as it does where both
 * are photographed together.
 */
function compose(subject: Picture, backdrop: Picture): Picture {
  const { width, height, data } = backdrop
  const half = shrink(alphaPlane(subject), Math.ceil(width / 2), Math.ceil(height / 2))
  const small = fitWithin(subject, 256)
  const rough = shrink(half, small.width, small.height)
  const coverRow = smoothRows(feather(rough, 0.05 * small.width), width, height)
  const edgeRow = smoothRows(feather(half, 0.003 * width), width, height)
  const behindRows = [0, 1, 2].map((channel) => smoothRows(softChannel(backdrop, channel, small), width, height))
  for (let y = 0, at = 0; y < height; y++) {
    const [cover, edge] = [coverRow(y), edgeRow(y)]
    const [red, green, blue] = behindRows.map((row) => row(y)) as [Float32Array, Float32Array, Float32Array]
    for (let x = 0; x < width; x++, at += 4) {
      const own = (subject.data[at + 3] as number) / 255
      const shadow = 1 - shade * (cover[x] as number) * (1 - own)
      // Nothing but the rim lets light around: half inside, none beyond.
      const rim = own * Math.max(0, 1 - (edge[x] as number)) * 2 * wrap
      lay(data, subject.data, at, own, shadow, rim * (red[x] as number))
      lay(data, subject.data, at + 1, own, shadow, rim * (green[x] as number))
      lay(data, subject.data, at + 2, own, shadow, rim * (blue[x] as number))
    }
  }
  return backdrop
}

/**
 * One value of the subject, lit by so much of the backdrop's light, over one of the shaded wall.
 */
function lay(
  data: Uint8ClampedArray,
  subject: Uint8ClampedArray,
  at: number,
  cover: number,
  shadow: number,
  light: number,
): void {
  const wall = (data[at] as number) * shadow
  const body = subject[at] as number
  data[at] = wall + cover * (body + light * (1 - body / 255) - wall)
}

/** A colour of the backdrop far out of focus, at a reduced size. */
function softChannel(picture: Picture, channel: number, small: Size): Plane {
  // Backdrops are soft: one pixel of each block is as good as their mean.
  const plane = createPlane(small.width, small.height)
  for (let y = 0, i = 0; y < small.height; y++) {
    const row = Math.floor(((y + 0.5) * picture.height) / small.height) * picture.width
    for (let x = 0; x < small.width; x++, i++) {
      const at = row + Math.floor(((x + 0.5) * picture.width) / small.width)
      plane.data[i] = picture.data[4 * at + channel] as number
    }
  }
  return boxBlur(plane, Math.max(1, Math.round(0.04 * small.width)))
}
