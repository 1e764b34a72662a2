import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { share } from '#engine/image/plane.ts'
import { findObject } from './find-object.ts'
import { findPeople } from './find-people.ts'
import { findObjects, mainObjects, type Subject, type SubjectKind } from './subject.ts'

/**
 * People who fill less of the picture than this stand beside what it shows, if that is sure and so
 * many times larger.
 */
const bystander = { share: 0.06, confidence: 0.4, times: 4 }

/**
 * Finds the subject of a picture, whose `faces` may be known. Throws `engine.no_subject` when there
 * is none.
 */
export async function findSubject(
  picture: Picture,
  { kind: wanted, box, faces }: { kind: SubjectKind; box?: Box | undefined; faces?: readonly Box[] | undefined },
  host: EngineHost,
): Promise<Subject> {
  const objects = once(() => findObjects(picture, host))
  if (wanted !== 'object') {
    const people = await findPeople(picture, { wanted, faces, objects }, host)
    if (people && !(wanted === 'auto' && (await besideObject(people, picture, objects)))) return people
    if (wanted === 'person') throw new EngineError('engine.no_subject')
  }
  return findObject(picture, box, objects, host)
}

/** A slow search that several steps may ask for and none repeats. */
function once<Found>(search: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined
  return () => {
    found ??= search()
    return found
  }
}

/** Whether people are only seen beside, or on, a much larger thing, such as a car or a boat. */
async function besideObject(
  people: Subject,
  picture: Picture,
  objects: () => Promise<DetectedObject[]>,
): Promise<boolean> {
  const area = share(people.mask, 0.5)
  if (area > bystander.share) return false
  const others = (await objects()).filter(({ label }) => label !== 'person')
  return mainObjects(others, picture).some(
    ({ box, confidence }) =>
      confidence > bystander.confidence &&
      box.width * box.height > bystander.times * area * picture.width * picture.height,
  )
}
