import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { compositeOver, darken } from '#engine/image/composite.ts'
import { composeSimilarities, translationBy } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { alphaPlane, cropWithPadding, fitArea, fitWithin, flatten } from '#engine/image/pixels.ts'
import { shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { platformOf } from '#engine/platforms.ts'
import { isAddedLocation, isLocation, type SceneId } from '#engine/scenes.ts'
import {
  addReflection,
  cameraOf,
  isNearBackground,
  lightDirection,
  locationLight,
  locationReference,
  readPrompt,
  relativeGrain,
  relightSubject,
  renderScene,
  scenesFor,
  shownLocation,
  spillLight,
} from '#engine/tasks/background/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { visiblePart } from '#engine/tasks/layout/index.ts'
import {
  applyStrokes,
  cutOut,
  explainUnclearSubject,
  keepTransparency,
  subjectMatte,
  subjectMatteInput,
} from '#engine/tasks/subject-matte/index.ts'
import { drawLogo } from '#tools/engine/draw-logo.ts'
import { frameSubject } from '#tools/engine/frame-subject.ts'
import { planeLayer, requireInput, safetyTasks } from '#tools/engine/inputs.ts'
import { aiEdited, joinedCaptures, type Output, type ToolEngine } from '#tools/engine/tool-engine.ts'
import type {
  BackgroundDiffusionInputs,
  BackgroundDiffusionParams,
  BackgroundDiffusionTasks,
} from '../contract/definition.ts'
import { type Head, headIn, ownLight, placeHead, placeSubject, sceneShadow, stanceOf } from './place-subject.ts'

type Kept = {
  variants: { scene: SceneId; seed: number }[]
  side: number
  balance: number[]
  /** Eyes' row and head's height in shares of the photograph's height; null for things. */
  head?: Head | null
  grain?: number
}
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
    const unclear = await explainUnclearSubject(flatten(requireInput(inputs.picture), 128, 128, 128), { subject }, host)
    if (!unclear) return { warnings: [], problems: [], facts: {} }
    if (unclear.people) return { warnings: ['people_unsure'], problems: [], facts: {} }
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
    const backgrounds = await Promise.all(
      variantsOf(params).map(async ({ scene, seed }) => {
        const reference = isAddedLocation(scene)
          ? { reference: locationReference(await host.surroundings(scene), scene, seed) }
          : {}
        const prompt = scenePrompt(scene, params)
        return { picture: work.picture, matte, ...reference, prompt, seed, width, height }
      }),
    )
    return { safe: await safetyTasks(inputs.picture, host), matte: [work], backgrounds }
  },

  async generate({ inputs, params, done }, host) {
    const source = requireInput(inputs.picture)
    host.progress('detecting', 0)
    const opaque = flatten(source, 128, 128, 128)
    const rejected: string[] = []
    const search = { subject: params.subject, found: done.matte?.[0]?.alpha, onReject: () => rejected.push('matte') }
    const matte = await subjectMatte(opaque, search, host)
    keepTransparency(source, matte)
    if (!matte.data.some((alpha) => alpha > 0.5)) throw new EngineError('engine.no_subject')
    for (let i = 0; i < matte.data.length; i++) matte.data[i] = Math.round((matte.data[i] as number) * 255) / 255
    const size = fitWithin(source, 160)
    const small = await host.resize(opaque, size.width, size.height)
    const { unknown } = readPrompt(params.prompt, params.locations)
    const variants = variantsOf(params)
    return {
      layers: { matte },
      data: {
        variants,
        side: lightDirection(small, shrink(matte, size.width, size.height)),
        balance: lightColour(small),
        head: await headIn(opaque, matte, host),
        grain: relativeGrain(opaque),
      },
      warnings: [],
      rejected,
      facts: {
        seed: variants.map(({ seed }) => seed).join(', '),
        studioScene: !done.backgrounds?.some(Boolean),
        ...(variants.every(({ scene }) => scene === variants[0]?.scene) && { scene: variants[0]?.scene }),
        ...(unknown.length > 0 && { unknownWords: unknown.join(', ') }),
      },
    }
  },

  async render({ inputs, params, done }, generated, host) {
    const source = requireInput(inputs.picture)
    if (!generated) throw new EngineError('generation.not_renderable')
    const matte = await applyStrokes(source, planeLayer(generated, 'matte'), params.strokes, host)
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
    const { variants, side: found, balance, head, grain = 1 } = generated.data
    const side = { auto: found, left: -0.8, right: 0.8, front: 0 }[params.light]
    const prompt = readPrompt(params.prompt, params.locations)
    const silhouette = alphaPlane(subject)
    const stance = stanceOf(silhouette)
    const camera = cameraOf(canvas, head ? placeHead(head, source, params, frame) : undefined)
    const shadows = new Map<boolean, Plane | undefined>()
    const outputs: Output[] = []
    for (const [i, { scene, seed }] of variants.entries()) {
      host.signal.throwIfAborted()
      const made = done.backgrounds?.[i]?.picture
      const location = made ? undefined : shownLocation(scene)
      const around = location && (await host.surroundings(location))
      const light = around && locationLight(around, location, seed)
      const background = made
        ? fillingSize(await backgroundFrom(fillingSize(made, source), { source, matte, moved }, host), canvas)
        : renderScene(
            {
              id: scene,
              width,
              height,
              seed,
              wishes: prompt.wishesFor(scene),
              side,
              camera,
              grain,
              ...(stance && { stance }),
              balance: light?.balance ?? (balance.map((gain) => gain ** params.match) as [number, number, number]),
            },
            around,
          )
      const near = isNearBackground(scene)
      const isShaded = params.shadow && (made || (scene !== 'plain' && !prompt.shadowless))
      if (isShaded && !shadows.has(near)) shadows.set(near, sceneShadow(silhouette, side, near))
      const shadow = isShaded ? shadows.get(near) : undefined
      if (shadow) darken(background, shadow)
      if (scene === 'table' && !made && stance) addReflection(background, subject, stance)
      const lit = light && isLocation(scene) ? { ...subject, data: subject.data.slice() } : subject
      if (light && lit !== subject) {
        relightSubject(lit, light, ownLight(head, found), params.match)
        spillLight(lit, background, Math.min(1, 2 * params.match))
      }
      const picture = compositeOver(lit, background)
      drawLogo(picture, params.logo, inputs.logo[0])
      outputs.push({
        label: String(seed),
        picture,
        encoding: {
          format,
          ...(platform && { maxBytes: platform.maxBytes }),
          metadata: made ? aiEdited : joinedCaptures,
        },
        ...(placement && !isMoved(params) && { placement }),
      })
      host.progress('generating', 0.5 + (0.5 * (i + 1)) / variants.length)
    }
    return { outputs }
  },
}

function variantsOf({ prompt, scene, seed, variants, locations }: BackgroundDiffusionParams): Kept['variants'] {
  return scenesFor(scene, readPrompt(prompt, locations), variants).map((drawn, i) => ({ scene: drawn, seed: seed + i }))
}

function scenePrompt(scene: SceneId, { prompt, scene: chosen, locations }: BackgroundDiffusionParams): string {
  const added = locations?.find(({ id }) => id === scene)
  const described = added?.name.en ?? descriptions[scene] ?? scene.replace('-', ' ')
  return [chosen === 'auto' ? '' : described, prompt].filter(Boolean).join(', ') || described
}

/** For providers, where the name of a scene would mislead. */
const descriptions: Partial<Record<SceneId, string>> = {
  lobby: 'modern office lobby',
  bridge: 'glass corridor of an office building',
  esplanade: 'cozy café lounge with warm lamps',
  hall: 'large event hall',
  beach: 'sandy beach by the sea',
  'beach-sunset': 'beach at sunset',
  'cafe-terrace': 'café terrace with string lights at dusk',
  'rice-field': 'rice paddies in the morning',
  sunrise: 'meadow at sunrise with morning mist',
  sunset: 'town square by the sea at sunset',
  venice: 'seaside promenade at dusk',
  city: 'city street with tall buildings',
  dawn: 'rocky hills at dawn',
  night: 'night sky with stars above trees',
  lab: 'old machine room',
  'studio-room': 'photo studio',
  plain: 'plain white background',
  table: 'wooden table top',
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
