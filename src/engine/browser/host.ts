import { EngineError } from '../error.ts'
import type { EngineHost } from '../host.ts'
import { showsOneFigure } from './one-figure.ts'
import { resizePicture } from './pixels.ts'
import { personMask } from './selfie.ts'

/** A device lacks what was asked for: the server has it. */
export class NotOnDevice extends EngineError {
  constructor(what: string) {
    super('engine.failed', { cause: `${what} is not done on the device` })
    this.name = 'NotOnDevice'
  }
}

/**
 * The engine's host in a web worker: plain arithmetic and the person model. Faces are not looked for: who is alone in a picture is found
 * without. Several people, and whatever else needs a large model, end the run with {@link NotOnDevice}.
 */
export function createBrowserHost(signal: AbortSignal, progress: EngineHost['progress'] = () => {}): EngineHost {
  const lacks = (what: string) => async () => {
    throw new NotOnDevice(what)
  }
  const host: EngineHost = {
    signal,
    progress,
    resize: async (picture, width, height) => resizePicture(picture, width, height),
    personMask,
    async faces(picture) {
      if (!(await showsOneFigure(picture, host))) throw new NotOnDevice('telling people apart')
      return []
    },
    faceMesh: lacks('fitting meshes'),
    describeFace: lacks('comparing faces'),
    hands: lacks('looking for hands'),
    things: lacks('looking for things'),
    convertVideo: lacks('converting videos'),
    videoFrames: lacks('reading videos'),
    provided: (_capability, _work, local) => local(),
  }
  return host
}
