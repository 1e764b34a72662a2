import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boundsOf, connectedRegions, scaleBox, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import {
  averageView,
  greyMirroredVariant,
  modelInput,
  modelSide,
  plainVariant,
  viewDisagreement,
} from '#engine/tasks/subject-matte/person-views.ts'

/** Disagreement of the model's colour and grey views above which a picture may show a group. */
const maxDisagreement = 0.15
/** In pixels of the model's 256 × 256. */
const smallestRegion = 300

/**
 * True if no faces need to be told apart: nobody is in the picture, a single figure clearly is, or
 * all people are in one salient region, which the engine unites with them.
 */
export async function needsNoFaces(picture: Picture, host: EngineHost): Promise<boolean> {
  const small = await modelInput(picture, host)
  const colour = await averageView(wholeOf(picture), small, [plainVariant], host)
  const grey = await averageView(wholeOf(picture), small, [greyMirroredVariant], host)
  const seen = figuresIn(colour.odds, 0)
  if (seen.length === 0 && figuresIn(grey.odds, 0).length === 0) return true
  return seen.length === 1 && viewDisagreement(colour, grey) <= maxDisagreement
}

const figuresIn = ({ width, height, data }: Plane, threshold: number) =>
  connectedRegions(width, height, (i) => (data[i] as number) > threshold).regions.filter(
    ({ area }) => area > smallestRegion,
  )

export function figureAsDetection({ width, height }: Picture, mask: Plane): DetectedObject[] {
  const box = boundsOf(mask, 0.5)
  if (!box || figuresIn(mask, 0.5).length === 0) return []
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
