import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { compositeOver, darken, shiftPlane, softShadow } from '#engine/image/composite.ts'
import { boundsOf, composeSimilarities, translationBy, wholeOf } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { alphaPlane, cropWithPadding, fitArea, fitWithin, flatten } from '#engine/image/pixels.ts'
import { feather, resizeSmooth, shrink, smoothRows } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { platformOf } from '#engine/platforms.ts'
import type { SceneId } from '#engine/scenes.ts'
import { isNearBackground, lightDirection, readPrompt, renderScene, scenesFor } from '#engine/tasks/background/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { visiblePart } from '#engine/tasks/layout/index.ts'
import {
  cutOut,
  explainUnclearSubject,
  keepTransparency,
  subjectMatte,
  subjectMatteInput,
} from '#engine/tasks/subject-matte/index.ts'
import { aiEdited } from '#tools/engine/ai-edited.ts'
import { drawLogo } from '#tools/engine/draw-logo.ts'
import { frameSubject } from '#tools/engine/frame-subject.ts'
import { planeLayer, requireInput } from '#tools/engine/inputs.ts'
import { safetyTasks } from '#tools/engine/safety-work.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type {
  BackgroundDiffusionInputs,
  BackgroundDiffusionParams,
  BackgroundDiffusionTasks,
} from '../contract/definition.ts'

type Kept = { variants: { scene: SceneId; seed: number }[]; side: number; balance: number[] }

/** Share of the longer side of the subject's box. */
const frameMargin = 0.1

const providerPixels = 2_000_000

/** `generate` cuts out the subject and chooses the scenes, `render` draws them. */
export const backgroundDiffusionEngine: ToolEngine<
  BackgroundDiffusionParams,
  BackgroundDiffusionInputs,
  Kept,
  BackgroundDiffusionTasks
> = {
  async check({ inputs, params: { subject } }, host) {
    const unclear = await explainUnclearSubject(flatten(requireInput(inputs.picture), 128, 128, 128), subject, host)
    if (!unclear) return { warnings: [], problems: [], facts: {} }
    return unclear.box
      ? { warnings: ['subject_unsure'], problems: [], facts: {} }
      : { warnings: [], problems: [{ path: 'picture', code: unclear.code }], facts: {} }
  },

  async prepare({ inputs, params }, host) {
    const opaque = flatten(requireInput(inputs.picture), 128, 128, 128)
    const { subject } = params
    const work = await subjectMatteInput(opaque, { subject }, host)
    const matte = await subjectMatte(work.picture, { subject }, host)
    const { width, height } = opaque.width * opaque.height > providerPixels ? fitArea(opaque, providerPixels) : opaque
    const backgrounds = variantsOf(params).map(({ scene, seed }) => {
      return { picture: work.picture, matte, prompt: scenePrompt(scene, params), seed, width, height }
    })
    return { safe: await safetyTasks(inputs.picture, host), matte: [work], backgrounds }
  },

  async generate({ inputs, params, done }, host) {
    const source = requireInput(inputs.picture)
    host.progress('detecting', 0)
    const opaque = flatten(source, 128, 128, 128)
    const matte = await subjectMatte(opaque, { subject: params.subject, found: done.matte?.[0]?.alpha }, host)
    keepTransparency(source, matte)
    if (!matte.data.some((alpha) => alpha > 0.5)) throw new EngineError('engine.no_subject')
    for (let i = 0; i < matte.data.length; i++) matte.data[i] = Math.round((matte.data[i] as number) * 255) / 255
    const size = fitWithin(source, 160)
    const small = await host.resize(opaque, size.width, size.height)
    const { unknown } = readPrompt(params.prompt)
    const variants = variantsOf(params)
    return {
      layers: { matte },
      data: {
        variants,
        side: lightDirection(small, shrink(matte, size.width, size.height)),
        balance: lightColour(small),
      },
      warnings: [],
      facts: {
        seed: variants.map(({ seed }) => seed).join(', '),
        studioScene: !done.backgrounds?.some(Boolean),
        ...(unknown.length > 0 && { unknownWords: unknown.join(', ') }),
      },
    }
  },

  async render({ inputs, params, done }, generated, host) {
    const source = requireInput(inputs.picture)
    if (!generated) throw new EngineError('generation.not_renderable')
    const matte = planeLayer(generated, 'matte')
    const whole = await cutOut(flatten(source, 128, 128, 128), matte, host)
    const platform = platformOf(params.shape)
    const canvas = platform ?? source
    const { width, height } = canvas
    const frame = platform && frameSubject(matte, { ratio: width / height, margin: frameMargin })
    const subject = placeSubject(
      frame ? await host.resize(cropWithPadding(whole, frame), width, height) : whole,
      params,
    )
    const moved = frame !== undefined || isMoved(params)
    const format = params.shape === 'sticker' ? 'webp' : params.format
    const placement =
      frame &&
      composeSimilarities(translationBy(-frame.x, -frame.y), { ...translationBy(0, 0), scale: width / frame.width })
    const { variants, side: found, balance } = generated.data
    const side = { auto: found, left: -0.8, right: 0.8, front: 0 }[params.light]
    const prompt = readPrompt(params.prompt)
    const silhouette = alphaPlane(subject)
    const stance = stanceOf(silhouette)
    const shadows = new Map<boolean, Plane | undefined>()
    const outputs: Output[] = []
    for (const [i, { scene, seed }] of variants.entries()) {
      host.signal.throwIfAborted()
      const made = done.backgrounds?.[i]?.picture
      const background = made
        ? fillingSize(await backgroundFrom(fillingSize(made, source), { source, matte, moved }, host), canvas)
        : renderScene({
            id: scene,
            width,
            height,
            seed,
            wishes: prompt.wishesFor(scene),
            side,
            ...(stance && { stance }),
            balance: balance.map((gain) => gain ** params.match) as [number, number, number],
          })
      const near = isNearBackground(scene)
      if (params.shadow && !shadows.has(near)) shadows.set(near, sceneShadow(silhouette, side, near))
      const shadow = params.shadow ? shadows.get(near) : undefined
      if (shadow) darken(background, shadow)
      const picture = compositeOver(subject, background)
      drawLogo(picture, params.logo, inputs.logo[0])
      outputs.push({
        label: String(seed),
        picture,
        encoding: {
          format,
          ...(platform && { maxBytes: platform.maxBytes }),
          ...(made && { metadata: aiEdited }),
        },
        ...(placement && !isMoved(params) && { placement: placement }),
      })
      host.progress('generating', 0.5 + (0.5 * (i + 1)) / variants.length)
    }
    return { outputs }
  },
}

function variantsOf({ prompt, scene, seed, variants }: BackgroundDiffusionParams): Kept['variants'] {
  return scenesFor(scene, readPrompt(prompt), variants).map((drawn, i) => ({ scene: drawn, seed: seed + i }))
}

function scenePrompt(scene: SceneId, { prompt, scene: chosen }: BackgroundDiffusionParams): string {
  return [chosen === 'auto' ? '' : scene.replace('-', ' '), prompt].filter(Boolean).join(', ') || scene
}

const isMoved = ({ scale, x, y }: BackgroundDiffusionParams) => scale !== 1 || x !== 0 || y !== 0

/** Mean difference of a channel inside the subject up to which the provider kept it. */
const maxKeptDifference = 24

/**
 * Some providers leave the subject out, others keep it: then it is removed, since it will be placed
 * elsewhere.
 */
async function backgroundFrom(
  made: Picture,
  { source, matte, moved }: { source: Picture; matte: Plane; moved: boolean },
  host: EngineHost,
): Promise<Picture> {
  if (!moved) return made
  const small = fitWithin(made, 160)
  const [now, before] = [
    await host.resize(made, small.width, small.height),
    await host.resize(source, small.width, small.height),
  ]
  const inside = shrink(matte, small.width, small.height)
  let [sum, count] = [0, 0]
  for (let i = 0; i < inside.data.length; i++) {
    if ((inside.data[i] as number) < 0.99) continue
    for (let k = 4 * i; k < 4 * i + 3; k++) sum += Math.abs((now.data[k] as number) - (before.data[k] as number))
    count += 3
  }
  if (count === 0 || sum / count > maxKeptDifference) return made
  const hole = dilate(
    { ...matte, data: matte.data.map((value) => (value > 0.02 ? 1 : 0)) },
    Math.ceil(made.width / 100),
  )
  return inpaint(made, hole)
}

function fillingSize(made: Picture, { width, height }: Size): Picture {
  if (made.width === width && made.height === height) return made
  const part = visiblePart(made, { width, height }, { zoom: 1, x: 0.5, y: 0.5 })
  return resamplePart(flatten(made, 255, 255, 255), part, width, height)
}

/** Light colour by grey world (Buchsbaum 1980), as gains of red, green and blue around 1. */
function lightColour({ data }: Picture): number[] {
  const sums = [0, 0, 0]
  for (let i = 0; i < data.length; i += 4)
    for (let c = 0; c < 3; c++) sums[c] = (sums[c] as number) + (data[i + c] as number)
  const mean = (sums[0] as number) + (sums[1] as number) + (sums[2] as number)
  return sums.map((sum) => Math.round(1000 * Math.min(1.3, Math.max(0.77, ((3 * sum) / mean) ** 0.8))) / 1000)
}

/** Unchanged pixels are copied exactly. */
export function placeSubject(
  cutOut: Picture,
  { scale, x, y }: Pick<BackgroundDiffusionParams, 'scale' | 'x' | 'y'>,
): Picture {
  if (scale === 1 && x === 0 && y === 0) return cutOut
  const { width, height } = cutOut
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const figure = scale === 1 ? cutOut : resamplePart(cutOut, wholeOf(cutOut), wide, high)
  const left = Math.round((width - wide) / 2 + x * width)
  const top = Math.round(height - high + y * height)
  return cropWithPadding(figure, { x: -left, y: -top, width, height })
}

/** In shares of the picture's height; undefined where the lower edge cuts off the subject. */
export function stanceOf(matte: Plane): { bottom: number; height: number } | undefined {
  const box = boundsOf(matte, 0.5)
  const bottom = box ? (box.y + box.height) / matte.height : 1
  return box && bottom < lowestFoot ? { bottom, height: box.height / matte.height } : undefined
}

/** A subject that ends above this share of the height stands on the ground. */
const lowestFoot = 0.99
const workSide = 384
/** Longer side of the shadow, which is soft everywhere. */
const shadowSide = 512

/**
 * Shadow, 0 none to 1 black, at reduced size: on the ground, to the side away from the light, or,
 * for a subject cut off by the lower edge, on the wall behind.
 */
export function sceneShadow(whole: Plane, side: number, wall: boolean): Plane | undefined {
  const size = fitWithin(whole, shadowSide)
  const matte = shrink(whole, size.width, size.height)
  const { width, height } = fitWithin(matte, workSide)
  const small = shrink(matte, width, height)
  const box = boundsOf(small, 0.5)
  if (!box) return undefined
  if (!stanceOf(small)) return wall ? onWall(small, matte, side) : undefined
  const contact = softShadow(matte, 0.5)
  const laid = createPlane(width, height)
  const ground = box.y + box.height - 1
  const flat = 0.2 + 0.08 * Math.abs(side)
  for (let y = 0; y < height; y++) {
    const up = (ground - y) / flat
    const source = Math.round(ground - up) * width
    if (up < 0 || source < box.y * width) continue
    const shift = Math.round(-side * 0.9 * (ground - y) * 2)
    const fade = 0.42 * (1 - up / box.height) ** 1.3
    for (let x = Math.max(0, shift); x < Math.min(width, width + shift); x++) {
      laid.data[y * width + x] = fade * (small.data[source + x - shift] as number)
    }
  }
  const rowOf = smoothRows(feather(laid, 0.018 * height), matte.width, matte.height)
  for (let y = 0, i = 0; y < matte.height; y++) {
    const row = rowOf(y)
    for (let x = 0; x < matte.width; x++, i++) {
      contact.data[i] = Math.max(contact.data[i] as number, row[x] as number)
    }
  }
  return contact
}

function onWall(small: Plane, matte: Plane, side: number): Plane {
  const shadow = shiftPlane(small, Math.round(-side * 0.07 * small.width), Math.round(0.025 * small.height))
  for (let i = 0; i < shadow.data.length; i++) shadow.data[i] = 0.34 * (shadow.data[i] as number)
  return resizeSmooth(feather(shadow, 0.035 * small.height), matte.width, matte.height)
}
