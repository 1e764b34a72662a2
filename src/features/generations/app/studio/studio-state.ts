import type { Recovery } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../chosen-picture.ts'

/** Chosen pictures by the names of the tool's inputs. */
export type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

/** What a person set and drew, without the pictures. */
export interface StudioSettings {
  params: Record<string, unknown>
  /** What was done on the tool's own stage; null before that. */
  stage: unknown
  /** Whether large pictures are made smaller before they are sent. */
  shrink: boolean
}

/** A tool's chosen pictures, options and runs. */
export interface StudioState extends StudioSettings {
  inputs: Inputs
  /** The pictures that were here before, with what was set and drawn, until the next run. */
  replaced: Pick<StudioState, 'inputs' | 'params' | 'stage'> | null
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

/** What files are asked for: for which input, and whether in place of what is here. */
export interface Picking {
  input?: string | undefined
  afresh?: boolean
}
