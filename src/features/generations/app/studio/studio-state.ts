import type { ReactNode } from 'react'
import type { DevicePicture } from '#tools/browser/messages.ts'
import type { AnyToolPage, Recovery } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import type { Back } from './studio-layout.tsx'

/** Chosen pictures by the names of the tool's inputs. */
export type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

/** What a person set and drew, without the pictures. */
export interface StudioSettings {
  params: Record<string, unknown>
  /** What was done on the tool's own stage; null before that. */
  stage: unknown
  /** The same by the shapes or ids of pictures, where the stage has a state for each. */
  stages: Readonly<Record<string, unknown>>
  /** Whether large pictures are made smaller before they are sent. */
  shrink: boolean
}

export interface StudioState extends StudioSettings {
  inputs: Inputs
  /** The pictures that were here before, with what was set and drawn, until the next run. */
  replaced: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'stages'> | null
  /** What was started from here and is still shown. */
  runs: readonly Run[]
}

/** A run: its first picture, its job in the upload queue, and its result once it has arrived. */
export interface Run {
  picture: string
  job: string
  result: string | null
}

/** What is changed before another run with the same file. */
export type RunChange = Recovery<Record<string, unknown>>

/** What files are asked for: for which input, and whether in place of what is there, or of all. */
export interface Picking {
  input?: string | undefined
  afresh?: boolean
}

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
  /** The other results of its batch. */
  batch?: readonly string[] | undefined
  /** When it was made, what it cost and the like, in the history. */
  details?: ReactNode
  /** With another picture. */
  onStartAgain: () => void
  /** With the same file, where it is at hand, and a change. */
  onTryAgain?: ((help?: RunChange) => void) | undefined
  onDeleted: () => void
}
