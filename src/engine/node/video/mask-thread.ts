import { workerData } from 'node:worker_threads'
import type { Frame } from '../../video/frame.ts'
import type { VideoSubject } from '../../video/mask.ts'
import { createVideoMatting } from '../../video/video-matte.ts'
import { createNodeHost } from '../host.ts'
import { type MaskedFrame, serveFrames } from './frame-thread.ts'

const host = createNodeHost(new AbortController().signal, () => {})
const matting = createVideoMatting(host, workerData as VideoSubject)
serveFrames<Frame, MaskedFrame>(async (frame) => {
  const mask = await matting.next(frame)
  return { result: { frame, mask, largest: matting.largest() }, memory: frame }
})
