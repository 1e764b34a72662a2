import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boundsOf, connectedRegions, scaleBox, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { resizePlane } from '#engine/image/plane.ts'
import { findSubject } from '#engine/tasks/subject-matte/find-subject.ts'
import {
  averageView,
  greyMirroredVariant,
  maskDifference,
  modelInput,
  modelSide,
  plainVariant,
  viewDisagreement,
} from '#engine/tasks/subject-matte/person-views.ts'
import { EngineError } from '../error.ts'

/** The device lacks the required model, so the server has to do the work. */
export class NotOnDevice extends EngineError {
  constructor(what: string) {
    super('engine.failed', { cause: `${what} is not available on the device` })
    this.name = 'NotOnDevice'
  }
}

/** Disagreement of the model's colour and grey views above which a figure is uncertain. */
const maxDisagreement = 0.15
/** Figures above this share of the picture may also be the face of an animal. */
const maxFigureShare = 0.8
/** In pixels of the model's 256 × 256. */
const smallestRegion = 300
/** Share of the union in which two cuts may differ for both to show the same. */
const maxDifference = 0.1

/**
 * Stand-ins for the detectors of faces and objects, of which a device has none. A single clear
 * figure is a person. Where the person model is uncertain, it does not matter if the cut is the
 * same as that of the most salient thing; otherwise, and for several figures, throws
 * {@link NotOnDevice}. The first picture in which faces are wanted decides for its parts, too.
 */
export function figureDetectors(host: EngineHost): Pick<EngineHost, 'faces' | 'objects'> {
  let decided: Promise<boolean> | undefined
  const figures = async (picture: Picture) => figureAsDetection(picture, await host.personMask(picture))
  async function showsPerson(picture: Picture): Promise<boolean> {
    const seen = await lookForFigures(picture, host)
    if (seen === 'several') throw new NotOnDevice('separating people')
    if (seen === 'unsure' && !(await showsSameAsThing(picture, { ...host, faces: async () => [], objects: figures })))
      throw new NotOnDevice('telling people from things')
    return seen === 'one'
  }
  return {
    async faces(picture) {
      decided ??= showsPerson(picture)
      await decided
      return []
    },
    objects: async (picture) => ((await decided) ? figures(picture) : []),
  }
}

async function lookForFigures(picture: Picture, host: EngineHost): Promise<'none' | 'one' | 'several' | 'unsure'> {
  const small = await modelInput(picture, host)
  const colour = await averageView(wholeOf(picture), small, [plainVariant], host)
  const grey = await averageView(wholeOf(picture), small, [greyMirroredVariant], host)
  const seen = regionsIn(colour.odds, 0)
  if (seen.length > 1) return 'several'
  const [figure] = seen
  if (!figure) return regionsIn(grey.odds, 0).length === 0 ? 'none' : 'unsure'
  const isClear = viewDisagreement(colour, grey) <= maxDisagreement && figure.area <= maxFigureShare * modelSide ** 2
  return isClear ? 'one' : 'unsure'
}

async function showsSameAsThing(picture: Picture, host: EngineHost): Promise<boolean> {
  const cut = (subject: 'auto' | 'object', objects: EngineHost['objects']) =>
    findSubject(picture, { subject }, { ...host, objects }).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'engine.no_subject') return undefined
      throw error
    })
  const thing = await cut('object', async () => [])
  const figure = await cut('auto', host.objects)
  return (
    thing !== undefined &&
    figure !== undefined &&
    maskDifference(figure.mask, resizePlane(thing.mask, figure.mask), 0.5) <= maxDifference
  )
}

const regionsIn = ({ width, height, data }: Plane, threshold: number) =>
  connectedRegions(width, height, (i) => (data[i] as number) > threshold).regions.filter(
    ({ area }) => area > smallestRegion,
  )

function figureAsDetection({ width, height }: Picture, mask: Plane): DetectedObject[] {
  const box = boundsOf(mask, 0.5)
  if (!box) return []
  return [{ label: 'person', confidence: 1, box: scaleBox(box, width / mask.width, height / mask.height) }]
}

function figureAt(x: number, y: number): number {
  const head = Math.hypot((x - 0.5) / 0.16, (y - 0.36) / 0.2)
  const shoulders = Math.hypot((x - 0.5) / 0.4, (y - 1) / 0.42)
  return Math.min(1, Math.max(0, (1 - Math.min(head, shoulders)) * 8 + 0.5))
}

export function drawFigure(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const share = figureAt((i % width) / width, Math.floor(i / width) / height)
    const grain = (Math.imul(i, 0x9e3779b1) >>> 28) - 8
    data[4 * i] = 90 + 100 * share + grain
    data[4 * i + 1] = 110 + 20 * share + grain
    data[4 * i + 2] = 140 - 40 * share + grain
    data[4 * i + 3] = 255
  }
  return { width, height, data }
}

/**
 * Runs the real model but returns the drawn figure. Throws the signal's reason once it is aborted:
 * a worker receives messages only between tasks, so each call waits for a new task first.
 */
export function warmUpHost(host: EngineHost): EngineHost {
  const mask = drawMask()
  const personMask = async (picture: Picture) => {
    await new Promise((resolve) => setTimeout(resolve))
    host.signal.throwIfAborted()
    await host.personMask(picture)
    return mask
  }
  const objects = async (picture: Picture) => figureAsDetection(picture, mask)
  return { ...host, personMask, objects, faces: async () => [] }
}

function drawMask(): Plane {
  const mask = createPlane(modelSide, modelSide)
  for (let i = 0; i < mask.data.length; i++) {
    mask.data[i] = figureAt((i % modelSide) / modelSide, Math.floor(i / modelSide) / modelSide)
  }
  return mask
}
