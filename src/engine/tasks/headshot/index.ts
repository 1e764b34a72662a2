import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import type { Direction } from '#engine/image/light-probe.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaPlane, cropPicture, cropWithPadding, fitWithin, pastePicture, pastePlane } from '#engine/image/pixels.ts'
import { feather, shrink, smoothRows } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'
import { isLocation } from '#engine/scenes.ts'
import { relativeGrain } from '#engine/tasks/background/develop-scene.ts'
import { cameraOf } from '#engine/tasks/background/locations.ts'
import {
  type LocationLight,
  locationLight,
  relightSubject,
  softChannel,
  softShade,
} from '#engine/tasks/background/subject-light.ts'
import { headFrame } from '#engine/tasks/faces/head.ts'
import { meshBox, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea, outlines } from '#engine/tasks/faces/regions.ts'
import { faceSurface } from '#engine/tasks/faces/skin.ts'
import { type BackdropName, renderBackdrop } from './backdrop.ts'
import type { HeadView, PortraitFrame } from './head-view.ts'
import { relight } from './relight.ts'

/** Width of the face in pixels at which light and skin are computed. */
const workWidth = 120

interface PortraitOptions {
  backdrop: BackdropName
  /** Direction of the view of a location, from 1. */
  view: number
  /** Strength of skin smoothing; `light` is the strength of relighting. Both 0 to 1. */
  retouch: number
  light: number
}

/** Renders a finished headshot: the framed view in studio light in front of a backdrop, opaque. */
export async function renderPortrait(
  view: HeadView,
  frame: PortraitFrame,
  options: PortraitOptions,
  host: EngineHost,
): Promise<Picture> {
  const { width, height } = frame
  const subject = cropWithPadding(view.picture, frame)
  const mesh = placeMesh(view.mesh, frame.x, frame.y, 1)
  const light = await lightOf(options, host)
  await retouchAndRelight(subject, mesh, options, host, light)
  if (light) relightSubject(subject, light, null, options.light)
  const camera = cameraOf(frame, { eyes: (view.eyes - frame.y) / height, head: frame.head })
  return compose(
    subject,
    await renderBackdrop(
      options.backdrop,
      { width, height, camera, view: options.view, balance: light?.balance, grain: relativeGrain(view.picture) },
      host,
    ),
    !isLocation(options.backdrop),
  )
}

/** In place; transparent pixels stay transparent. */
async function retouchAndRelight(
  picture: Picture,
  mesh: HeadView['mesh'],
  { retouch, light }: Pick<PortraitOptions, 'retouch' | 'light'>,
  host: EngineHost,
  location?: LocationLight,
): Promise<void> {
  const box = meshBox(mesh)
  const size = fitWithin(picture, Math.min(1, workWidth / box.width) * Math.max(picture.width, picture.height))
  const scale = size.width / picture.width
  const small = await host.resize({ ...picture, data: picture.data.slice() }, size.width, size.height)
  const place = placeMesh(mesh, 0, 0, scale)
  const { skin, hull } = surfaceIn(small, place)
  retouchSkin(picture, mesh, skin, retouch)
  const shade = location && ((normal: Direction) => softShade(location, normal))
  relight(picture, small, place, { skin, hull }, light, shade)
  sharpenEyes(picture, mesh, Math.max(retouch, 0.5 * light))
}

/** Margin around a face for finding objects in front of it, as a share of its width. */
const faceMargin = 0.25

function surfaceIn(picture: Picture, mesh: HeadView['mesh']): { skin: Plane; hull: Plane } {
  const face = meshBox(mesh)
  const box = clipBox(growBox(face, faceMargin * face.width), picture)
  const empty = () => createPlane(picture.width, picture.height)
  if (!box) return { skin: empty(), hull: empty() }
  const { skin, hull } = faceSurface(cropPicture(picture, box), placeMesh(mesh, box.x, box.y, 1))
  return { skin: pastePlane(empty(), skin, box), hull: pastePlane(empty(), hull, box) }
}

/**
 * Renders a cut-out group before one backdrop. Every face is retouched, but the light is corrected
 * for the first and largest only. `meshes` are in pixels of `cut`.
 */
export async function renderGroup(
  cut: Picture,
  meshes: readonly HeadView['mesh'][],
  options: PortraitOptions,
  host: EngineHost,
): Promise<Picture> {
  const subject = { ...cut, data: cut.data.slice() }
  const light = await lightOf(options, host)
  for (const [i, mesh] of meshes.entries()) {
    await retouchAndRelight(subject, mesh, i === 0 ? options : { ...options, light: 0 }, host, light)
  }
  if (light) relightSubject(subject, light, null, options.light)
  const { width, height } = cut
  const camera = cameraOf(cut, meshes[0] && headOf(meshes[0], height))
  return compose(
    subject,
    await renderBackdrop(
      options.backdrop,
      { width, height, camera, view: options.view, balance: light?.balance, grain: relativeGrain(cut) },
      host,
    ),
    !isLocation(options.backdrop),
  )
}

/** Undefined before a studio sheet, which has the light of a studio. */
async function lightOf({ backdrop, view }: PortraitOptions, host: EngineHost): Promise<LocationLight | undefined> {
  return isLocation(backdrop) ? locationLight(await host.surroundings(backdrop), backdrop, view) : undefined
}

function headOf(mesh: HeadView['mesh'], height: number): { eyes: number; head: number } {
  const { eyes, eyesToChin } = headFrame(mesh)
  return { eyes: eyes.y / height, head: (2 * eyesToChin) / height }
}

const lightWrap = 0.16
const wallShade = 0.16

/**
 * Modifies the backdrop: a wall gets a soft shadow, and its light wraps around the subject's edge.
 */
function compose(subject: Picture, backdrop: Picture, wall: boolean): Picture {
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
      const shadow = 1 - (wall ? wallShade : 0) * (cover[x] as number) * (1 - own)
      // Only the rim receives wrapped light: half of it at the edge, none further in.
      const rim = own * Math.max(0, 1 - (edge[x] as number)) * 2 * lightWrap
      compositeValue(data, subject.data, at, own, shadow, rim * (red[x] as number))
      compositeValue(data, subject.data, at + 1, own, shadow, rim * (green[x] as number))
      compositeValue(data, subject.data, at + 2, own, shadow, rim * (blue[x] as number))
    }
  }
  return backdrop
}

function compositeValue(
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

/** Limits of the smoothed band in face widths: pores are finer, shape and light coarser. */
const pores = 0.007
const shapes = 0.04
/** Larger differences (8-bit) are folds, moles or stubble, which belong to the person and stay. */
const keptDifference = 26

/**
 * Smooths skin in place by frequency separation: only the middle of three bands (blemishes) is
 * reduced, most in dark and red spots. `skin` may have any size; `strength` is 0 to 1.
 */
function retouchSkin(picture: Picture, mesh: MeshPoints, skin: Plane, strength: number): void {
  if (strength <= 0) return
  const face = meshBox(mesh)
  const box = clipBox(growBox(face, 2 * shapes * face.width), picture)
  if (!box) return
  const part = cropPicture(picture, box)
  const { width, height, data } = part
  const unit = face.width
  const mask = createPlane(width, height)
  const skinRow = smoothRows(skin, picture.width, picture.height)
  for (let y = 0; y < height; y++) mask.data.set(skinRow(box.y + y).subarray(box.x, box.x + width), y * width)
  const wide = Math.max(2, Math.round(shapes * unit))
  const weight = feather(mask, wide)
  for (let channel = 0; channel < 3; channel++) {
    const values = createPlane(width, height)
    const weighted = createPlane(width, height)
    for (let i = 0; i < values.data.length; i++) {
      const value = data[4 * i + channel] as number
      values.data[i] = value
      weighted.data[i] = value * (mask.data[i] as number)
    }
    const upper = feather(values, pores * unit)
    // Only skin counts, so that hair and lips do not darken the skin beside them.
    const lower = feather(weighted, wide)
    for (let i = 0; i < values.data.length; i++) {
      const cover = mask.data[i] as number
      if (cover <= 0.01) continue
      const band = (upper.data[i] as number) - (lower.data[i] as number) / Math.max(1e-3, weight.data[i] as number)
      const keep = Math.exp(-((band / keptDifference) ** 2))
      const share = strength * cover * keep * (band < 0 ? 0.85 : 0.6)
      data[4 * i + channel] = (data[4 * i + channel] as number) - share * band
    }
  }
  pastePicture(picture, part, box.x, box.y)
}

/** Strength of the eyes' sharpening, and its radius as a share of the face's width. */
const eyeAmount = 0.7
const eyeReach = 0.008

/** Sharpens eyes, lashes and brows slightly, in place, with a limit against halos. */
function sharpenEyes(picture: Picture, mesh: MeshPoints, strength: number): void {
  const unit = meshBox(mesh).width
  const parts = ['leftEye', 'rightEye', 'leftBrow', 'rightBrow'] as const
  const around = meshBox(
    mesh,
    parts.flatMap((name) => [...outlines[name]]),
  )
  const box = clipBox(growBox(around, 0.06 * unit), picture)
  if (!box) return
  const part = cropPicture(picture, box)
  const { data } = part
  const mask = feather(meshArea(part, placeMesh(mesh, box.x, box.y, 1), ...parts), 0.018 * unit)
  const luma = lumaOf(part)
  const soft = feather(luma, eyeReach * unit)
  for (let i = 0; i < luma.data.length; i++) {
    const cover = Math.min(1, 1.6 * (mask.data[i] as number))
    if (cover <= 0.01) continue
    const detail = Math.max(-22, Math.min(22, (luma.data[i] as number) - (soft.data[i] as number)))
    const gain = strength * eyeAmount * cover * detail
    for (let c = 0; c < 3; c++) data[4 * i + c] = (data[4 * i + c] as number) + gain
  }
  pastePicture(picture, part, box.x, box.y)
}

export { drawBackdrop, renderBackdrop } from './backdrop.ts'
export { frameHead, type HeadView, headView, rotateToUpright } from './head-view.ts'
export { mayKeepBackground } from './logos.ts'
