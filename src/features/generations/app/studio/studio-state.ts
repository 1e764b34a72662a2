import type { ReactNode } from 'react'
import type { DevicePicture } from '#tools/browser/messages.ts'
import type { AnyToolPage, Recovery } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import type { Back } from './studio-layout.tsx'

export type Inputs = Readonly<Record<string, readonly ChosenPicture[]>>

export interface StudioSettings {
  params: Record<string, unknown>
  /** Null before any change. */
  stage: unknown
  /** By shape or picture id, where pictures have their own. */
  stages: Readonly<Record<string, unknown>>
  shrink: boolean
}

export interface StudioState extends StudioSettings {
  inputs: Inputs
  /** Restorable until the next generation. */
  replaced: Pick<StudioState, 'inputs' | 'params' | 'stage' | 'stages'> | null
  runs: readonly Run[]
}

/** `result` is set once it has arrived. */
export interface Run {
  picture: string
  job: string
  result: string | null
}

export type RunChange = Recovery<Record<string, unknown>>

export interface FileRequest {
  input?: string | undefined
  afresh?: boolean
}

export interface GenerationProps {
  page: AnyToolPage
  id: string
  local?: ChosenPicture | undefined
  state?: StudioState | null
  preview?: DevicePicture | null
  heading?: ReactNode
  back?: Back | undefined
  batch?: readonly string[] | undefined
  details?: ReactNode
  onStartAgain: () => void
  onTryAgain?: ((help?: RunChange) => void) | undefined
  onDeleted: () => void
}
