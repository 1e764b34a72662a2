import { inTurn } from '#shared/in-turn.ts'
// Entry points of the threads in `frame-threads.ts`.

import { type Backdrop, composeFrame } from '#engine/tasks/video-matte/compose-frame.ts'
import { createVideoMatting, type VideoMatting } from '#engine/tasks/video-matte/index.ts'
import type { Frame } from '../../video/frame.ts'
import { createNodeHost } from '../host.ts'
import { type MaskedFrame, type MaskTask, transferWithMemory } from './frame-threads.ts'

const mattings = new Map<number, VideoMatting>()
const maskInTurn = inTurn()

/** Each mask depends on the previous one, so frames are processed in order. */
export const findMask = (task: MaskTask): Promise<MaskedFrame | undefined> => maskInTurn(() => find(task))

async function find(task: MaskTask): Promise<MaskedFrame | undefined> {
  const { video } = task
  if ('end' in task) {
    mattings.delete(video)
    return undefined
  }
  const { subject, frame } = task
  const host = createNodeHost(new AbortController().signal, () => {})
  const matting = mattings.get(video) ?? createVideoMatting(host, subject)
  mattings.set(video, matting)
  const mask = await matting.next(frame)
  return transferWithMemory({ frame, mask }, frame)
}

export function compose({ frame, mask, backdrop }: MaskedFrame & { backdrop: Backdrop }): Frame {
  const composed = composeFrame(frame, mask, backdrop)
  return transferWithMemory(composed, composed)
}
