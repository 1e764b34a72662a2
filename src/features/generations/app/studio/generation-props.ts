import type { ReactNode } from 'react'
import type { DevicePicture } from '#tools/browser/messages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'
import type { Back } from './studio-layout.tsx'
import type { RunChange, StudioState } from './studio-state.ts'

/** What is known around a generation, and what can be done with it, whatever its status. */
export interface GenerationProps {
  page: AnyToolPage
  id: string
  /** The picture on this device that it is made from, where it is still at hand. */
  local?: ChosenPicture | undefined
  /** All that was chosen with it. */
  state?: StudioState | null
  /** What this device has made of it. */
  preview?: DevicePicture | null
  heading?: ReactNode
  /** The way out; to the home page unless given. */
  back?: Back | undefined
  /** When it was made, what it cost and the like, in the history. */
  details?: ReactNode
  /** With another picture. */
  onStartAgain: () => void
  /** With the same file, where it is at hand, and a change. */
  onTryAgain?: ((help?: RunChange) => void) | undefined
  onDeleted: () => void
}
