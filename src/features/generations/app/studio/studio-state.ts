import type { ReactNode } from 'react'
import type { DevicePicture } from '#tools/browser/messages.ts'
import type { AnyToolPage, Recovery } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import type { Back } from './studio-layout.tsx'

/** Chosen pictures by input name. */
export type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

/** Settings and drawings without the pictures. */
export interface StudioSettings {
  params: Record<string, unknown>
  /** State of the tool's own stage; null before any change. */
  stage: unknown
  /** Stage states by shape or picture id, where pictures have their own. */
  stages: Readonly<Record<string, unknown>>
  /** Reduces large pictures before sending. */
  shrink: boolean
}

export interface StudioState extends StudioSettings {
  inputs: Inputs
  /** Replaced pictures with their settings, until the next generation. */
  replaced: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'stages'> | null
  /** Visible generations started here. */
  runs: readonly Run[]
}

/**
 * A started generation: its first picture, its job in the upload queue, and its result once it has
 * arrived.
 */
export interface Run {
  picture: string
  job: string
  result: string | null
}

/** Change before another attempt with the same file. */
export type RunChange = Recovery<Record<string, unknown>>

/** Request for files: input, and whether to replace its files or all. */
export interface Picking {
  input?: string | undefined
  afresh?: boolean
}

/** Context and actions of a generation in any status. */
export interface GenerationProps {
  page: AnyToolPage
  id: string
  /** The source picture on this device, if available. */
  local?: ChosenPicture | undefined
  /** The whole selection that contains the picture. */
  state?: StudioState | null
  preview?: DevicePicture | null
  heading?: ReactNode
  /** Link back; defaults to the home page. */
  back?: Back | undefined
  /** Other results of its batch. */
  batch?: readonly string[] | undefined
  /** Time, cost and similar details, in the history. */
  details?: ReactNode
  /** Starts again with another picture. */
  onStartAgain: () => void
  /** Tries again with the same file, if available, and a change. */
  onTryAgain?: ((help?: RunChange) => void) | undefined
  onDeleted: () => void
}
