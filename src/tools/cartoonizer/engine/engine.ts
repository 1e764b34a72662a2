import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { compositeOver, solidPicture } from '#engine/image/composite.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import { isPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitArea, resizeToCover } from '#engine/image/pixels.ts'
import { eyesOf, stylize } from '#engine/tasks/cartoon/index.ts'
import { createSticker, stickerEncoding } from '#engine/tasks/face-cutout/index.ts'
import { faceMeshes, faceRegion, facialFeatures, flattenMesh, unflattenMesh } from '#engine/tasks/faces/index.ts'
import { cutOut, subjectMatte, subjectMatteInput } from '#engine/tasks/subject-matte/index.ts'
import { inputOnWhite, requireProviderResults, safetyTasks } from '#tools/engine/inputs.ts'
import type { Generated, Output, ToolEngine, ToolInput } from '#tools/engine/tool-engine.ts'
import type {
  CartoonBackground,
  CartoonizerInputs,
  CartoonizerParams,
  CartoonizerTasks,
  CartoonRedraw,
} from '../contract/definition.ts'

/** Pixels; larger drawings are enlarged, since strokes have no finer detail. */
const drawArea = 1_200_000

const redrawPrompts: Readonly<Record<Exclude<CartoonRedraw, 'none'>, string>> = {
  'film-3d': 'a frame of a modern 3D animated family film, smooth shapes, soft global illumination, lively eyes',
  'anime-film': 'a frame of a hand-painted anime film, clean line art, cel shading, a painted background in soft light',
  storybook: "an illustration of a children's book in gouache, warm colours, visible brush strokes on paper",
  clay: 'a scene of a stop-motion film in modelling clay, rounded shapes, fingerprints in the clay, studio light',
}

/** Rows of x, y, depth, in pixels of the drawing. */
type Faces = number[][]

/** `generate` finds faces and, if needed, the person's matte; `render` draws. */
export const cartoonizerEngine: ToolEngine<CartoonizerParams, CartoonizerInputs, { faces: Faces }, CartoonizerTasks> = {
  async prepare({ inputs, params }, host) {
    const small = await drawingSize(inputOnWhite(inputs.picture), host)
    const safe = await safetyTasks(inputs.picture, host)
    const { redraw } = params
    if (redraw !== 'none')
      return { safe, matte: [], redrawn: [{ picture: small, prompt: redrawPrompts[redraw], seed: 1 }] }
    const matte = needsMatte(params) ? [await subjectMatteInput(small, { subject: 'auto' }, host)] : []
    return { safe, matte, redrawn: [] }
  },

  async generate({ inputs, params, done }, host) {
    const source = inputOnWhite(inputs.picture)
    host.progress('detecting', 0)
    const small = await drawingSize(source, host)
    const redrawn = await redrawnOf(small, params, done, host)
    const meshes = redrawn ? [] : await faceMeshes(small, host)
    const layers: Record<string, Plane> = {}
    const rejected: string[] = []
    const search = { subject: 'auto', found: done.matte?.[0]?.alpha, onReject: () => rejected.push('matte') } as const
    if (needsMatte(params)) layers.matte = await subjectMatte(redrawn ?? small, search, host)
    host.progress('generating', 0.4)
    return {
      layers,
      data: { faces: meshes.map(flattenMesh) },
      warnings: [],
      rejected,
    }
  },

  async render({ inputs, params, done }, generated, host) {
    const source = inputOnWhite(inputs.picture)
    const small = await drawingSize(source, host)
    const meshes = (generated?.data.faces ?? []).map(unflattenMesh)
    const redrawn = await redrawnOf(small, params, done, host)
    const drawn = redrawn ?? draw(small, meshes, params)
    const matte = needsMatte(params) ? await matteOf(redrawn ?? small, generated, host) : undefined
    const person = matte && (await cutOut(drawn, matte, host))
    const { background } = params
    const whole = background.type === 'picture' || !person ? drawn : onBackground(person, background)
    const enlarge = params.style === 'pixel' && !redrawn ? enlargePixels : host.resize
    const picture = await enlarge(whole, source.width, source.height)
    const mark = redrawn && ({ metadata: { source: 'trainedAlgorithmicMedia' } } as const)
    const outputs: Output[] = [{ picture, encoding: { format: params.format, ...mark } }]
    const label = params.sticker && person && (await createSticker(person, host))
    if (label) outputs.push({ label: 'sticker', picture: label, encoding: { ...stickerEncoding, ...mark } })
    return { outputs }
  },
}

function drawingSize(source: Picture, host: EngineHost): Promise<Picture> {
  const { width, height } = fitArea(source, drawArea)
  return host.resize(source, width, height)
}

/** At the drawing's size; undefined where the engine draws. */
async function redrawnOf(
  small: Picture,
  { redraw }: CartoonizerParams,
  done: ToolInput<CartoonizerParams, CartoonizerInputs, CartoonizerTasks>['done'],
  host: EngineHost,
): Promise<Picture | undefined> {
  if (redraw === 'none') return undefined
  const [made] = requireProviderResults(done.redrawn) as [{ picture: Picture }]
  return resizeToCover(made.picture, small, host.resize)
}

function needsMatte({ background, sticker: wanted }: CartoonizerParams): boolean {
  return wanted || background.type !== 'picture'
}

function draw(
  small: Picture,
  meshes: MeshPoints[],
  { style, strength, lines, background }: CartoonizerParams,
): Picture {
  const unit = Math.max(small.width, small.height) / 1000
  return stylize(small, {
    style,
    strength,
    lines,
    rim: background.type === 'picture',
    face: faceRegion(small, meshes, 1, 8 * unit),
    features: faceRegion(small, meshes, 1, 3 * unit, facialFeatures),
    eyes: eyesOf(meshes),
  })
}

/** The kept matte, or a new one when a background or sticker was chosen afterwards. */
async function matteOf(small: Picture, generated: Generated<{ faces: Faces }> | undefined, host: EngineHost) {
  const kept = generated?.layers.matte
  return kept && isPlane(kept) ? kept : subjectMatte(small, { subject: 'auto' }, host)
}

/** With hard edges. */
async function enlargePixels(picture: Picture, width: number, height: number): Promise<Picture> {
  if (picture.width === width && picture.height === height) return picture
  const source = new Uint32Array(picture.data.buffer, picture.data.byteOffset, picture.width * picture.height)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * picture.height) / height) * picture.width
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = source[row + Math.floor((x * picture.width) / width)] as number
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) }
}

const rays = 14

function onBackground(person: Picture, background: Exclude<CartoonBackground, { type: 'picture' }>): Picture {
  const { width, height } = person
  switch (background.type) {
    case 'transparent':
      return person
    case 'color':
      return compositeOver(person, solidPicture(width, height, background.color))
    case 'burst':
      return compositeOver(person, burst(width, height, background.color))
  }
}

/** Rays of a lighter and a darker shade from the middle. */
function burst(width: number, height: number, color: string): Picture {
  const picture = solidPicture(width, height, color)
  const { data } = picture
  const [cx, cy] = [width / 2, height * 0.45]
  const softness = 0.9 / Math.max(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x)
      const [dx, dy] = [x - cx, y - cy]
      const turn = (Math.atan2(dy, dx) / (2 * Math.PI)) * rays
      const wave = Math.abs(turn - Math.round(turn)) * 2
      const radius = Math.sqrt(dx * dx + dy * dy) / Math.max(width, height)
      const edge = Math.min(0.5, (softness * rays) / Math.max(radius, 1e-3))
      const light = 0.34 * smoothstep(0.5 - edge, 0.5 + edge, wave) * (1 - 0.35 * radius)
      for (let c = 0; c < 3; c++) data[i + c] = (data[i + c] as number) + light * (255 - (data[i + c] as number))
    }
  }
  return picture
}
