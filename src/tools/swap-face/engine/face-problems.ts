import type { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import {
  assessFace,
  describeFace,
  eyeOpenness,
  type FaceQuality,
  mouthOpenness,
  qualityWarnings,
  shareOutsidePicture,
} from '#engine/tasks/faces/index.ts'
import { findObjects, isAnimal } from '#engine/tasks/subject-matte/index.ts'
import { type FaceInPicture, faceContrast, hasBeard, hasHairOverBrow } from '#engine/tasks/swap/index.ts'
import type { Problem } from '#tools/contract/tool.ts'

export interface FoundFaces {
  target: Picture
  targets: Face[]
  sources: (FaceInPicture & { position: number })[]
}

export interface Pair {
  source: FaceInPicture
  target: Face
}

/**
 * Yaw in radians: warned beyond the first, refused beyond `source` and `target`, or if both differ
 * by `apart`, since one face shows what the other hides.
 */
export const yawLimits = { warned: 0.4, source: 0.33, target: 0.75, apart: 0.38 } as const
/** Pixels; narrower faces blur in larger ones and are not used as a source. */
export const minSharpWidth = 80
/**
 * A face narrower than `below` pixels does not replace a face more than `enlarged` times as wide,
 * or with more than `contrast` times its contrast: blur, noise and stains would grow. Chosen by eye
 * on 120 swaps outside the test sets.
 */
const enlargementLimits = { below: 240, enlarged: 2.2, contrast: 1.4 } as const
/** Least opening of a source's lids if the target's eyes are open. */
const minLidOpening = 0.17
/**
 * Mouth openings: a moustache hides the lips of a closed mouth and would be drawn over an open one;
 * a wide mouth shows a tongue and a dark inside, which a smaller one lacks. Chosen by eye on 150
 * swaps outside the test sets.
 */
const mouthOpenings = { closed: 0.1, open: 0.2, wide: 0.42 } as const
/** Estimated age of children; the estimate is accurate to about six years. */
const minAge = 15
/**
 * Detection confidence below which a face may be drawn, carved or masked. This and the least
 * brightness were chosen by eye on 130 swaps of photographs outside the test sets.
 */
const minConfidence = 0.7
/**
 * Side light from which a source face brings hard shadows along, see `FaceQuality`: of 21 swaps
 * with 1.9 to 2.8, 16 looked natural, of two with 4.8 none.
 */
const maxSideLight = 2.9
/** Brightness below which a face is noise, see `FaceQuality`. */
const minBrightness = 60
/** Largest brightening of a face; none of 282 labelled good swaps exceeded it. */
const maxBrightening = 2
const maxShareOutside = 0.05

type Code = EngineError['code']

/** Animal faces are checked on request only: object recognition takes half the time of a swap. */
export async function problemsOf(
  found: FoundFaces,
  pairs: readonly Pair[],
  host: EngineHost,
  { withAnimals = false } = {},
): Promise<Problem[]> {
  const problems: Problem[] = []
  const add = (path: Problem['path'], codes: readonly Code[]) => {
    problems.push(...codes.map((code) => ({ path, code })))
  }
  if (found.targets.length === 0) add('target', ['engine.no_face'])
  if (found.sources.length === 0) add('faces', ['engine.no_face'])
  for (const { source, target: face } of pairs) {
    const target = { picture: found.target, face }
    const [quality, wantedQuality] = [qualityOf(source), qualityOf(target)]
    const bad = [...againstSource(source, quality), ...(await againstBoth(source, host, withAnimals))]
    // Details hidden in the dark would become blots in a bright face.
    const isBrightened = wantedQuality.brightness > maxBrightening * quality.brightness
    if (bad.length === 0 && isBrightened) bad.push('engine.face_badly_lit')
    // A blurred or dark face would fail for its low contrast anyway.
    if (bad.length === 0 && (await isTooSmall(source, target, host))) bad.push('engine.face_too_small')
    add('faces', bad)
    add('target', [...againstTarget(target, wantedQuality), ...(await againstBoth(target, host, withAnimals))])
    const apart = Math.abs(source.face.pose.yaw - face.pose.yaw) > yawLimits.apart
    if (apart && Math.abs(face.pose.yaw) <= yawLimits.target) add('faces', ['engine.face_turned'])
    if (areShut(source) && !areShut(target)) add('faces', ['engine.eyes_closed'])
    if (await hasHairOverBrow(source, host)) add('faces', ['engine.face_hidden'])
    const beards = { given: await hasBeard(source, host), wanted: await hasBeard(target, host) }
    if (beards.given !== beards.wanted) add(beards.given ? 'faces' : 'target', ['engine.face_bearded'])
    const [given, wanted] = [source.face, face].map(({ points }) => mouthOpenness(points)) as [number, number]
    const opens = given < mouthOpenings.closed && wanted > mouthOpenings.open
    if (opens && beards.given) add('target', ['engine.mouth_open'])
    if (given > mouthOpenings.wide && wanted < mouthOpenings.wide) add('faces', ['engine.mouth_open'])
  }
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.code}`, problem])).values()]
}

const qualityOf = ({ picture, face }: FaceInPicture): FaceQuality => assessFace(picture, face.points)

/** The source would appear as blurs and blots in the target. */
async function isTooSmall(source: FaceInPicture, target: FaceInPicture, host: EngineHost): Promise<boolean> {
  const [given, wanted] = [source.face.box.width, target.face.box.width]
  if (given >= enlargementLimits.below) return false
  if (wanted > enlargementLimits.enlarged * given) return true
  return (await faceContrast(target, host)) > enlargementLimits.contrast * (await faceContrast(source, host))
}

function againstSource({ face }: FaceInPicture, quality: FaceQuality): Code[] {
  const warnings = qualityWarnings(quality)
  const badlyLit =
    quality.sideLight > maxSideLight || quality.brightness < minBrightness || warnings.includes('overexposed')
  return [
    ...(face.box.width < minSharpWidth ? (['engine.face_too_small'] as const) : []),
    ...(warnings.includes('blurred') ? (['engine.face_blurred'] as const) : []),
    ...(badlyLit ? (['engine.face_badly_lit'] as const) : []),
    ...(Math.abs(face.pose.yaw) > yawLimits.source ? (['engine.face_turned'] as const) : []),
  ]
}

function againstTarget({ picture, face }: FaceInPicture, quality: FaceQuality): Code[] {
  const warnings = qualityWarnings(quality)
  const badlyLit = quality.brightness < minBrightness || warnings.includes('uneven_light')
  return [
    ...(shareOutsidePicture(face.points, picture) > maxShareOutside ? (['engine.face_cut'] as const) : []),
    ...(warnings.includes('blurred') ? (['engine.face_blurred'] as const) : []),
    ...(badlyLit ? (['engine.face_badly_lit'] as const) : []),
    ...(Math.abs(face.pose.yaw) > yawLimits.target ? (['engine.face_turned'] as const) : []),
  ]
}

/** Only adult faces are swapped. */
async function againstBoth({ picture, face }: FaceInPicture, host: EngineHost, withAnimals: boolean): Promise<Code[]> {
  const isNone =
    face.confidence < minConfidence || (withAnimals && isAnimal(face.box, await findObjects(picture, host)))
  if (isNone) return ['engine.no_face']
  const { age } = await describeFace(picture, face.points, host)
  return age < minAge ? ['engine.face_too_young'] : []
}

function areShut({ face }: FaceInPicture): boolean {
  const { left, right } = eyeOpenness(face.points)
  return (left + right) / 2 < minLidOpening
}
