import { type Backdrop, composeFrame } from '#engine/tasks/video-matte/compose-frame.ts'
import type { Frame } from '../../video/frame.ts'
import { type MaskedFrame, serveFrames } from './frame-thread.ts'

serveFrames<Backdrop, MaskedFrame, Frame>((backdrop) => ({ frame, mask }) => {
  const composed = composeFrame(frame, mask, backdrop)
  return { result: composed, memory: composed }
})
