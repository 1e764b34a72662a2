import type { MessageDescriptor } from '@lingui/core'
import type { ComponentType, LazyExoticComponent, ReactNode } from 'react'
import type { Size } from '#app/ui/geometry.ts'
import type { InputSpecs, ToolFacts } from './tool.ts'

/** A tool's drawn mark on 48 × 48: a line drawing with one filled thing that the tool is about. */
export interface ToolMark {
  line?: ReactNode
  fill?: ReactNode
}

/** The texts of a tool's page. */
export interface ToolWords {
  /** In menus and galleries, below the tool's name. */
  tagline: MessageDescriptor
  /** At the head of its page. */
  intro: MessageDescriptor
  /** On the button, e.g. "Hapus latar". */
  action: MessageDescriptor
  /** On the button for several runs; `{count}` is how many. Only called for where the contract has `batch`. */
  actionMany?: MessageDescriptor
  /** The how-to-use guide. */
  steps: readonly { title: MessageDescriptor; text: MessageDescriptor }[]
  /** Which pictures give good results. */
  advice: MessageDescriptor
}

/** What a tool's option form is given, in the studio and on a finished result alike. */
export interface PanelProps<Params, Stage = unknown> {
  params: Params
  onChange: (change: Partial<Params>) => void
  /** `before` the run every option counts; `after` it only those that render the result again for free. */
  phase: 'before' | 'after'
  /** Files by the names of the tool's inputs. */
  files: Partial<Record<string, readonly Blob[]>>
  /** Takes a file for an input; resolves to whether it can be used, and has said why when it cannot. */
  onFile: (input: string, file: File) => Promise<boolean>
  /** The state of the tool's stage; null where there is no single picture that it could work on. */
  stage: { state: Stage; onChange: (change: (now: Stage) => Stage) => void } | null
}

/** What a tool's own stage is given: it fills the frame of one picture. */
export interface StageProps<Stage = unknown> {
  /** The picture as it is to be seen below the stage's own things. */
  picture: ReactNode
  /** Address of the input picture's pixels; null where the browser cannot show it. */
  pictureUrl: string | null
  /** The input picture's size in pixels. */
  size: Size
  state: Stage
  onChange: (change: (now: Stage) => Stage) => void
}

/** Gestures over the picture: a box, a brush, a picker. Their state is in shares of the picture, parameters are in its pixels. */
export interface ToolStage<Params, Stage = unknown> {
  component: LazyExoticComponent<ComponentType<StageProps<Stage>>>
  /** The state that belongs to these parameters. */
  from: (params: Params, size: Size) => Stage
  /** The parameters that follow from the state. */
  params: (state: Stage, size: Size) => Partial<Params>
  /** Whether the stage is to be seen now; else the plain picture or the comparison is. */
  active: (state: Stage, phase: 'before' | 'after') => boolean
  /** What still has to be done on the picture before a run can start; `state` is null while nothing was done. */
  missing?: (state: Stage | null) => MessageDescriptor | undefined
}

/** What is needed to show on the device, at once, how a result will look with other options. */
export interface PreviewProps<Params> {
  /** The picture that was sent; null when it is no longer kept. */
  sourceUrl: string | null
  /** An output that was rendered with options `from` accepts. */
  baseUrl: string
  params: Params
  files: Partial<Record<string, readonly Blob[]>>
}

/** All that the app needs of a tool. */
export interface ToolPage<Params, Inputs extends InputSpecs = InputSpecs, Stage = unknown> {
  facts: ToolFacts<Params, Inputs>
  icon: ToolMark
  words: ToolWords
  panel: LazyExoticComponent<ComponentType<PanelProps<Params, Stage>>>
  /** Inputs that the panel asks for by itself; the studio asks for all others. */
  panelInputs?: readonly (keyof Inputs & string)[]
  stage?: ToolStage<Params, Stage>
  preview?: {
    /** Whether an output rendered with these options can stand for the others. */
    from: (params: Params) => boolean
    /** Whether these options can be shown without the server. */
    shows: (params: Params) => boolean
    component: LazyExoticComponent<ComponentType<PreviewProps<Params>>>
  }
}

/** A tool as the studio handles it, whichever it is: its parameters are whatever its own panel makes of them. */
export type AnyToolPage = ToolPage<Record<string, unknown>>

/** Hides the types of a page's own parameters and stage from the code that handles all pages alike. */
export const toolPage = <Params, Inputs extends InputSpecs, Stage = unknown>(
  page: ToolPage<Params, Inputs, Stage>,
): AnyToolPage => page as unknown as AnyToolPage
