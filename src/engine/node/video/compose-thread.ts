import { workerData } from 'node:worker_threads'
import { type Backdrop, composeFrame } from '../../video/compose-frame.ts'
import type { Frame } from '../../video/frame.ts'
import { type MaskedFrame, serveFrames } from './frame-thread.ts'

const backdrop = workerData as Backdrop
serveFrames<MaskedFrame, Frame>(({ frame, mask }) => {
  const composed = composeFrame(frame, mask, backdrop)
  return { result: composed, memory: composed }
})
