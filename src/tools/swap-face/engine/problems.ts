import type { Box } from '#contract/media.ts'
import type { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import {
  assessFace,
  beyondEdge,
  describeFace,
  eyeOpenness,
  type FaceQuality,
  mouthOpenness,
  qualityWarnings,
} from '#engine/tasks/faces/index.ts'
import { animals, findObjects } from '#engine/tasks/subject-matte/index.ts'
import { faceContrast, hasBeard, hasFringe, type PicturedFace } from '#engine/tasks/swap/index.ts'
import type { Problem } from '#tools/contract/tool.ts'

export interface FoundFaces {
  target: Picture
  targets: Face[]
  sources: (PicturedFace & { position: number })[]
}

export interface Pair {
  source: PicturedFace
  target: Face
}

/**
 * Radians that a face may be turned away: beyond the first it is warned of, beyond `source` and
 * `target` it is refused, and so are two that are turned `apart`, for one shows what the other
 * hides.
 */
export const turned = { warned: 0.4, source: 0.33, target: 0.75, apart: 0.3 } as const
/** Faces below this width in pixels are blurred in larger ones, and are given to none. */
export const clearWidth = 80
/**
 * A face that is narrower in pixels than `below` is given to none that is more than `enlarged`
 * times as wide, and to none with more than `contrast` times its contrast: blurs, noise and stains
 * would grow with it. Chosen by eye on 120 swaps that judge nothing.
 */
const small = { below: 240, enlarged: 2.2, contrast: 1.4 } as const
/** Lids of a face that is given must be open by this, if those of the other face are. */
const closedEyes = 0.17
/**
 * How far mouths are open: a moustache hides the lips of a closed one and would be drawn over an
 * open one; a wide one has a tongue and a dark inside, which a smaller one does not show. Chosen by
 * eye on 150 swaps that judge nothing.
 */
const mouth = { closed: 0.1, open: 0.2, wide: 0.42 } as const
/**
 * Years that a face looks like below which it is taken for a child's; the estimate is right to
 * about six.
 */
const childhood = 15
/**
 * What finds faces is less certain than this of drawn, carved and masked ones. It and the two
 * limits of light were chosen by eye on 130 swaps of photographs that judge nothing.
 */
const leastCertain = 0.7
/** Side light from which on a face that is given brings hard shadows along, see `FaceQuality`. */
const mostSideLight = 1.7
/** Brightness below which a face is noise, see `FaceQuality`. */
const darkest = 60
/** How many times as bright a face may become. From 282 swaps, none of them brightened as much. */
const mostBrightened = 2
/** How much of the other face may lie beyond the picture's edge, see `beyondEdge`. */
const mostBeyond = 0.05

type Code = EngineError['code']

/**
 * Why faces cannot be swapped as wished, each reason once; none where they can. Animals' faces are
 * looked for on request: what names things takes as long as half a swap.
 */
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
    // What the dark hides in a face would show as blots in a bright one.
    const isBrightened = wantedQuality.brightness > mostBrightened * quality.brightness
    if (bad.length === 0 && isBrightened) bad.push('engine.face_badly_lit')
    // A face that is blurred or dark has little contrast for that.
    if (bad.length === 0 && (await isTooSmall(source, target, host))) bad.push('engine.face_too_small')
    add('faces', bad)
    add('target', [...againstTarget(target, wantedQuality), ...(await againstBoth(target, host, withAnimals))])
    // What the one shows and the other hides.
    const apart = Math.abs(source.face.pose.yaw - face.pose.yaw) > turned.apart
    if (apart && Math.abs(face.pose.yaw) <= turned.target) add('faces', ['engine.face_turned'])
    if (areShut(source) && !areShut(target)) add('faces', ['engine.eyes_closed'])
    if (await hasFringe(source, host)) add('faces', ['engine.face_hidden'])
    const beards = { given: await hasBeard(source, host), wanted: await hasBeard(target, host) }
    if (beards.given !== beards.wanted) add(beards.given ? 'faces' : 'target', ['engine.face_bearded'])
    const [given, wanted] = [source.face, face].map(({ points }) => mouthOpenness(points)) as [number, number]
    const opens = given < mouth.closed && wanted > mouth.open
    if (opens && beards.given) add('target', ['engine.mouth_open'])
    if (given > mouth.wide && wanted < mouth.wide) add('faces', ['engine.mouth_open'])
  }
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.code}`, problem])).values()]
}

const qualityOf = ({ picture, face }: PicturedFace): FaceQuality => assessFace(picture, face.points)

/** Whether a face would be given to another one as blurs and blots. */
async function isTooSmall(source: PicturedFace, target: PicturedFace, host: EngineHost): Promise<boolean> {
  const [given, wanted] = [source.face.box.width, target.face.box.width]
  if (given >= small.below) return false
  if (wanted > small.enlarged * given) return true
  return (await faceContrast(target, host)) > small.contrast * (await faceContrast(source, host))
}

function againstSource({ face }: PicturedFace, quality: FaceQuality): Code[] {
  const warnings = qualityWarnings(quality)
  const badlyLit = quality.sideLight > mostSideLight || quality.brightness < darkest || warnings.includes('overexposed')
  return [
    ...(face.box.width < clearWidth ? (['engine.face_too_small'] as const) : []),
    ...(warnings.includes('blurred') ? (['engine.face_blurred'] as const) : []),
    ...(badlyLit ? (['engine.face_badly_lit'] as const) : []),
    ...(Math.abs(face.pose.yaw) > turned.source ? (['engine.face_turned'] as const) : []),
  ]
}

function againstTarget({ picture, face }: PicturedFace, quality: FaceQuality): Code[] {
  const warnings = qualityWarnings(quality)
  const badlyLit = quality.brightness < darkest || warnings.includes('uneven_light')
  return [
    ...(beyondEdge(face.points, picture) > mostBeyond ? (['engine.face_cut'] as const) : []),
    ...(warnings.includes('blurred') ? (['engine.face_blurred'] as const) : []),
    ...(badlyLit ? (['engine.face_badly_lit'] as const) : []),
    ...(Math.abs(face.pose.yaw) > turned.target ? (['engine.face_turned'] as const) : []),
  ]
}

/** Faces are swapped between grown people only. */
async function againstBoth({ picture, face }: PicturedFace, host: EngineHost, withAnimals: boolean): Promise<Code[]> {
  const isNone = face.confidence < leastCertain || (withAnimals && (await isAnimal({ picture, face }, host)))
  if (isNone) return ['engine.no_face']
  const { age } = await describeFace(picture, face.points, host)
  return age < childhood ? ['engine.face_too_young'] : []
}

function areShut({ face }: PicturedFace): boolean {
  const { left, right } = eyeOpenness(face.points)
  return (left + right) / 2 < closedEyes
}

/** What finds faces takes animals for people; what names things knows them. */
async function isAnimal({ picture, face: { box } }: PicturedFace, host: EngineHost): Promise<boolean> {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const around = (it: Box) => x > it.x && x < it.x + it.width && y > it.y && y < it.y + it.height
  const named = (await findObjects(picture, host)).filter((it) => around(it.box)).map(({ label }) => label)
  return named.some((label) => animals.includes(label)) && !named.includes('person')
}
