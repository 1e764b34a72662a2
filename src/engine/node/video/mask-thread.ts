import { createVideoMatting } from '#engine/tasks/video-matte/video-matte.ts'
import type { Frame, VideoSubject } from '../../video/frame.ts'
import { createNodeHost } from '../host.ts'
import { type MaskedFrame, serveFrames } from './frame-thread.ts'

serveFrames<VideoSubject, Frame, MaskedFrame>((subject) => {
  const matting = createVideoMatting(
    createNodeHost(new AbortController().signal, () => {}),
    subject,
  )
  return async (frame) => {
    const mask = await matting.next(frame)
    return { result: { frame, mask, largest: matting.largest() }, memory: frame }
  }
})
