import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import { inverse, wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import {
  assessFace,
  eyeOpenness,
  type FaceQuality,
  faceSurface,
  type Head,
  headFrame,
  isCoveredByHand,
  measureHead,
  mouthOpenness,
  teethHeight,
} from '#engine/tasks/faces/index.ts'
import { averageView, greyMirroredVariant, modelInput, plainVariant } from '#engine/tasks/subject-matte/index.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { CheckItem, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'
import type { PassportRule } from '../contract/definition.ts'
import { framePhoto, framingProblem, type PortraitFacts } from './frame.ts'
import {
  cutPerson,
  findBodyEnds,
  findPerson,
  isHeadCut,
  moveCuts,
  portraitFacts,
  sampleOf,
  showsOldBackground,
  turnUpright,
  type Upright,
} from './portrait.ts'

/** Angles in degrees, lengths in pixels, all others as in `FaceQuality` and the openings. */
const limits = {
  /** Eyes to chin: a smaller face is not recognisable. */
  tinyFace: 26,
  /** Half of the face is hidden. */
  profile: 32,
  turned: 14,
  nodding: 22,
  tilt: 20,
  aside: 0.12,
  eyes: 0.17,
  mouth: 0.12,
  /** Applies where more than `teeth` is visible between the lips. */
  mouthWithTeeth: 0.05,
  /** Set on 45 mouths without visible teeth, 0 to 0.008, and 28 with, of which 15 open widely. */
  teeth: 0.02,
  glasses: 0.2,
  sideLight: 2,
  shadow: 0.32,
  burnt: 0.2,
  dark: 55,
  sharp: 0.11,
  blurred: 0.06,
  grey: 5,
  /** Pixels of the source for a pixel of the photo, along a side. */
  enlarged: 0.55,
} as const

const degrees = (radians: number): number => (radians * 180) / Math.PI

export function findPortraitProblem(face: Face | undefined, others: readonly Face[]): ErrorCode | undefined {
  if (!face) return 'engine.no_face'
  if (others.length > 0) return 'engine.several_faces'
  if (headFrame(face.points).eyesToChin < limits.tinyFace) return 'engine.face_too_small'
  if (Math.abs(degrees(face.pose.yaw)) > limits.profile) return 'engine.face_turned'
  return undefined
}

/** Eyes-to-chin pixels of the checked picture. */
const checkedEyesToChin = 110

/** Eyes-to-chin pixels in which rims are looked for. */
const rimEyesToChin = 140

type PortraitQuality = FaceQuality & { glasses: boolean; teeth: boolean }

/** Lines at the nose are glasses only with lenses around them: a fringe draws such lines, too. */
function assessPortrait(source: Picture, face: Pick<Face, 'points' | 'box'>): PortraitQuality {
  const quality = assessFace(source, face.points)
  const lenses = () => {
    const { picture, points } = turnUpright(source, face, rimEyesToChin)
    return faceSurface(picture, points).lenses !== undefined
  }
  return {
    ...quality,
    glasses: quality.bridge > limits.glasses && lenses(),
    teeth: mouthOpenness(face.points) > limits.mouthWithTeeth && teethHeight(source, face.points) > limits.teeth,
  }
}

/** `colour` is the new background. */
export async function checkPortrait(
  source: Picture,
  { rule, colour }: { rule: PassportRule; colour: string },
  host: EngineHost,
): Promise<PhotoCheck> {
  const { face, others } = await findPerson(source, host)
  const problem = findPortraitProblem(face, others)
  const faces = [face, ...others].flatMap((one) => (one ? [{ input: 'picture', position: 0, box: one.box }] : []))
  if (!face || problem === 'engine.several_faces') {
    return { faces, warnings: [], problems: refusal(problem), facts: {} }
  }
  const upright = turnUpright(source, face, checkedEyesToChin)
  const matte = await roughMatte(upright, host)
  const small = measureHead(upright.points, matte)
  const head = enlarge(small, face, upright)
  const quality = assessPortrait(source, face)
  const covered = await isCoveredByHand(source, face, host)
  const ends = findBodyEnds(matte, upright, small)
  const portrait = portraitFacts(source, head, moveCuts(ends.cuts, inverse(upright.view)))
  const cut = isHeadCut(small) ? 'engine.head_cut' : undefined
  const bad = problem ?? cut ?? framingProblem(portrait, rule)
  const made = bad ? undefined : await tryCut(source, face, { rule, colour }, host)
  return {
    faces,
    warnings: [
      ...warningsOf(face, quality, enlargement(head, rule)),
      ...(covered ? (['face_covered'] as const) : []),
      ...(ends.headTouches ? (['head_at_edge'] as const) : []),
      ...(made?.oldBackground ? (['old_background'] as const) : []),
    ],
    problems: refusal(bad ?? made?.problem),
    checks: checkList(face, head, quality, rule, portrait),
    facts: { portrait, sample: sampleOf(upright, matte, small, ends.cuts) },
  }
}

/** Cuts the person out as the generation does, so that its refusals come before the charge. */
async function tryCut(
  source: Picture,
  face: Face,
  { rule, colour }: { rule: PassportRule; colour: string },
  host: EngineHost,
): Promise<{ problem?: ErrorCode; oldBackground?: boolean }> {
  const upright = turnUpright(source, face)
  try {
    const { person, head, ends, keepsBackground } = await cutPerson(upright, host)
    if (isHeadCut(head)) return { problem: 'engine.head_cut' }
    const problem = framingProblem(portraitFacts(person, head, ends.cuts), rule)
    if (problem) return { problem }
    return { oldBackground: keepsBackground || showsOldBackground(person, upright.picture, head, colour) }
  } catch (error) {
    if (error instanceof EngineError) return { problem: error.code }
    throw error
  }
}

const refusal = (code: ErrorCode | undefined) => (code ? [{ path: 'picture', code }] : [])

/** A single view of the person network suffices to find the end of the hair. */
async function roughMatte({ picture }: Upright, host: EngineHost): Promise<Plane> {
  const { width, height } = picture
  const { odds } = await averageView(
    wholeOf(picture),
    await modelInput(picture, host),
    [plainVariant, greyMirroredVariant],
    host,
  )
  const likely = { ...odds, data: odds.data.map((value) => 1 / (1 + Math.exp(-value))) }
  return resizeSmooth(likely, width, height)
}

function enlarge(small: Head, face: Face, { view }: Upright): Head {
  const frame = headFrame(face.points)
  const above = (small.height - small.eyesToChin) / view.scale
  return { ...small, ...frame, height: frame.eyesToChin + above }
}

export function portraitWarnings(
  { picture, points, box, view }: Upright,
  face: Face,
  rule: PassportRule,
): WarningCode[] {
  return warningsOf(face, assessPortrait(picture, { points, box }), enlargement(measureHead(points), rule) / view.scale)
}

function warningsOf(face: Face, quality: PortraitQuality, pixels: number): WarningCode[] {
  const warnings: WarningCode[] = []
  if (pixels < limits.enlarged) warnings.push('low_resolution')
  if (quality.sharpness < limits.sharp) warnings.push('blurred')
  if (quality.burnt > limits.burnt) warnings.push('overexposed')
  if (quality.brightness < limits.dark) warnings.push('too_dark')
  if (Math.abs(degrees(face.pose.yaw)) > limits.turned) warnings.push('face_turned')
  if (quality.glasses) warnings.push('glasses')
  return warnings
}

/** A picture without edges. */
const unboundedSize = { width: 1e7, height: 1e7 }

/** Pixels of the source for a pixel of the photo, along a side. */
function enlargement(head: Head, rule: PassportRule): number {
  return 1 / framePhoto(portraitFacts(unboundedSize, head), rule).placement.scale
}

/**
 * Properties that the tool corrects itself (size, tilt, position) are measured in the future photo.
 */
function checkList(
  face: Face,
  head: Head,
  quality: PortraitQuality,
  rule: PassportRule,
  portrait: PortraitFacts,
): CheckItem[] {
  const frame = framePhoto(portrait, rule)
  const [yaw, pitch, roll] = [face.pose.yaw, face.pose.pitch, head.roll].map(degrees) as [number, number, number]
  const eyes = Math.min(...Object.values(eyeOpenness(face.points)))
  const mouth = mouthOpenness(face.points)
  const openMouth = quality.teeth ? limits.mouthWithTeeth : limits.mouth
  const within = (value: number, { min, max }: { min: number; max: number }) =>
    value >= 0.98 * min && value <= 1.02 * max
  const item = (
    code: string,
    good: boolean,
    measured: number,
    wanted: { min?: number; max?: number },
    bad: CheckItem['status'] = 'warning',
  ): CheckItem => ({ code, status: good ? 'ok' : bad, measured: Math.round(measured * 1000) / 1000, wanted })
  return [
    item('one_face', true, 1, { min: 1, max: 1 }),
    item('head_height', within(frame.head, rule.head) && head.top === 'seen', frame.head, rule.head),
    item('eye_line', within(frame.eyes, rule.eyes), frame.eyes, rule.eyes),
    item('tilt', Math.abs(roll) <= limits.tilt, roll, { min: -limits.tilt, max: limits.tilt }),
    item('centre', Math.abs(yaw) <= limits.profile && eyeOffset(head) <= limits.aside, eyeOffset(head), {
      max: limits.aside,
    }),
    item('shoulders', frame.missing <= 0.01, frame.missing, { max: 0 }),
    item('facing', Math.abs(yaw) <= limits.turned && Math.abs(pitch) <= limits.nodding, Math.abs(yaw), {
      max: limits.turned,
    }),
    item('eyes_open', eyes >= limits.eyes, eyes, { min: limits.eyes }),
    item('mouth_closed', mouth <= openMouth, mouth, { max: openMouth }),
    item('glasses', !quality.glasses, quality.glasses ? quality.bridge : Math.min(quality.bridge, limits.glasses), {
      max: limits.glasses,
    }),
    item(
      'light',
      quality.brightness >= limits.dark && quality.burnt <= limits.burnt && quality.sideLight <= limits.sideLight,
      quality.sideLight,
      { max: limits.sideLight },
    ),
    item('shadow', quality.shadow <= limits.shadow, quality.shadow, { max: limits.shadow }),
    item(
      'sharpness',
      quality.sharpness >= limits.sharp && enlargement(head, rule) >= limits.enlarged,
      quality.sharpness,
      { min: limits.sharp },
      quality.sharpness < limits.blurred ? 'failed' : 'warning',
    ),
    item('colour', quality.colour >= limits.grey, quality.colour, { min: limits.grey }),
  ]
}

/** Share of the face's width. */
function eyeOffset({ eyes, centre, width }: Head): number {
  return Math.hypot(eyes.x - centre.x, eyes.y - centre.y) / width
}
