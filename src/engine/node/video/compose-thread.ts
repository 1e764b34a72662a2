import { type Backdrop, composeFrame } from '#engine/tasks/video-matte/compose-frame.ts'
import type { Frame } from '../../video/frame.ts'
import { type MaskedFrame, withMemory } from './frame-thread.ts'

export function perform({ frame, mask, backdrop }: MaskedFrame & { backdrop: Backdrop }): Frame {
  const composed = composeFrame(frame, mask, backdrop)
  return withMemory(composed, composed)
}
