import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import { clipBox } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture, fitArea } from '#engine/image/pixels.ts'
import type { TaskInput } from '#engine/task-types.ts'
import {
  describeFace,
  embeddingSimilarity,
  findRotatedFaces,
  headFrame,
  meshBox,
  samePersonThreshold,
} from '#engine/tasks/faces/index.ts'
import type { Box } from '#shared/media.ts'
import type { Output } from '#tools/engine/tool-engine.ts'
import { type HeadshotParams, proposalCount } from '../contract/definition.ts'

/** Region around the eyes that providers see, in eyes-to-chin distances. */
const visibleRegion = { aside: 3.2, above: 2.8, below: 5 }
const providerPixels = 1_500_000

const scenes = {
  office: 'in a bright modern office, softly blurred behind, window light',
  studio: 'in a photo studio before a plain grey backdrop, soft key light and a gentle rim light',
  outdoor: 'outdoors in a green city park, softly blurred behind, late afternoon light',
  traditional: 'before a warm plain backdrop, soft studio light',
} as const
const clothes = {
  office: 'business clothes with a blazer',
  studio: 'plain formal clothes',
  outdoor: 'smart casual clothes',
  traditional: 'Indonesian traditional dress with fine batik',
} as const
type Generated = Exclude<HeadshotParams['style'], 'photo'>

export async function proposalTasks(
  picture: Picture,
  { points }: Face,
  { style, ownOutfit, ownPose }: HeadshotParams & { style: Generated },
  host: EngineHost,
): Promise<TaskInput['portrait'][]> {
  const { eyes, eyesToChin } = headFrame(points)
  const [left, top] = [eyes.x - visibleRegion.aside * eyesToChin, eyes.y - visibleRegion.above * eyesToChin]
  const [width, height] = [
    2 * visibleRegion.aside * eyesToChin,
    (visibleRegion.above + visibleRegion.below) * eyesToChin,
  ]
  const box = clipBox(
    { x: Math.round(left), y: Math.round(top), width: Math.round(width), height: Math.round(height) },
    picture,
  )
  const part = box ? cropPicture(picture, box) : picture
  const size = part.width * part.height > providerPixels ? fitArea(part, providerPixels) : part
  const shown = await host.resize(part, size.width, size.height)
  const prompt = [
    `Professional headshot of this person ${scenes[style]}`,
    ownOutfit ? 'in the same clothes' : `wearing ${clothes[style]}`,
    ownPose ? 'in the same pose' : 'facing the camera, shoulders slightly turned, a slight smile',
    'sharp focus on the eyes',
  ].join(', ')
  return Array.from({ length: proposalCount }, (_, i) => ({ picture: shown, prompt, seed: i + 1 }))
}

interface Proposal {
  picture: Picture
  /** By face embeddings, at most 1. */
  likeness: number
  face: Box
}

/**
 * Most alike first. Throws `engine.little_alike` when no photograph shows the same person: the
 * credits are refunded.
 */
export async function judgeProposals(
  source: Picture,
  face: Face,
  made: readonly Picture[],
  host: EngineHost,
): Promise<Proposal[]> {
  const { embedding } = await describeFace(source, face.points, host)
  const proposals: Proposal[] = []
  for (const picture of made) {
    host.signal.throwIfAborted()
    const found = await findRotatedFaces(picture, host)
    const [largest] = found.toSorted((a, b) => meshBox(b.points).width - meshBox(a.points).width)
    if (!largest) continue
    const other = await describeFace(picture, largest.points, host)
    const alike = Math.round(1000 * embeddingSimilarity(embedding, other.embedding)) / 1000
    if (alike >= samePersonThreshold) proposals.push({ picture, likeness: alike, face: meshBox(largest.points) })
  }
  if (proposals.length === 0) throw new EngineError('engine.little_alike')
  return proposals.toSorted((a, b) => b.likeness - a.likeness)
}

/** Largest part with this ratio, with the face in its upper third. */
function frameProposal({ picture, face }: Proposal, ratio: number): Picture {
  const width = Math.min(picture.width, Math.round(picture.height * ratio))
  const height = Math.min(picture.height, Math.round(width / ratio))
  const within = (wanted: number, most: number) => Math.round(Math.min(most, Math.max(0, wanted)))
  const x = within(face.x + face.width / 2 - width / 2, picture.width - width)
  const y = within(face.y + face.height / 2 - 0.4 * height, picture.height - height)
  return cropPicture(picture, { x, y, width, height })
}

export function proposalOutputs(
  proposals: readonly Proposal[],
  ratio: number,
  format: HeadshotParams['format'],
): Output[] {
  return proposals.map((proposal, i) => ({
    label: `${i + 1} · ${Math.round(100 * proposal.likeness)}%`,
    picture: frameProposal(proposal, ratio),
    encoding: { format, metadata: { source: 'trainedAlgorithmicMedia' } },
  }))
}
