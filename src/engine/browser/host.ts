import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import { EngineError } from '../error.ts'
import type { EngineHost } from '../host.ts'
import { nameFigure, showsOneFigure } from './one-figure.ts'
import { resizePicture } from './pixels.ts'
import { personMask } from './selfie.ts'

/** A device lacks what was asked for: the server has it. */
class NotOnDevice extends EngineError {
  constructor(what: string) {
    super('engine.failed', { cause: `${what} is not done on the device` })
    this.name = 'NotOnDevice'
  }
}

/**
 * The engine's host in a web worker: plain arithmetic and the person model. Faces are not looked
 * for: who is alone in a picture is found without, and the only thing that is named in it. Several
 * people, and whatever else needs a large model, end the run with {@link NotOnDevice}.
 */
export function createBrowserHost(signal: AbortSignal, progress: EngineHost['progress'] = () => {}): EngineHost {
  const lacks = (what: string) => async () => {
    throw new NotOnDevice(what)
  }
  const resize = rememberViews()
  const host: EngineHost = {
    signal,
    progress,
    resize: async (picture, width, height, part) => resize(part ? cropPicture(picture, part) : picture, width, height),
    cacheForResizing: (picture) => picture,
    personMask: rememberMasks(personMask, resize),
    async faces(picture) {
      if (!(await showsOneFigure(picture, host))) throw new NotOnDevice('telling people apart')
      return []
    },
    faceMesh: lacks('fitting meshes'),
    describeFace: lacks('comparing faces'),
    hands: lacks('looking for hands'),
    objects: async (picture) => nameFigure(picture, await host.personMask(picture)),
    salience: lacks('finding things'),
    convertVideo: lacks('converting videos'),
    videoFrames: lacks('reading videos'),
  }
  return host
}

type Resize = typeof resizePicture

/** What the model looks at is made once from a picture: several steps ask for it. */
function rememberViews(): Resize {
  const views = new WeakMap<Picture, Picture>()
  return (picture, width, height) => {
    if (width !== modelSide || height !== modelSide) return resizePicture(picture, width, height)
    const view = views.get(picture) ?? resizePicture(picture, width, height)
    views.set(picture, view)
    return view
  }
}

/** Steps that ask about the same small picture share its mask. */
function rememberMasks(ask: EngineHost['personMask'], resize: Resize): EngineHost['personMask'] {
  const known: { small: Picture; mask: Promise<Plane> }[] = []
  return (picture) => {
    const small = resize(picture, modelSide, modelSide)
    const asked = known.find(({ small: { data } }) => data.every((value, i) => value === small.data[i]))
    if (asked) return asked.mask
    const mask = ask(small)
    known.push({ small, mask })
    return mask
  }
}
