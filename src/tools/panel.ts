import type { MessageDescriptor } from '@lingui/core'
import type { ComponentType, LazyExoticComponent } from 'react'
import type { Box } from '#contract/media.ts'
import type { InputSpecs, ToolFacts } from './tool.ts'

/** What a tool's option form is given, in the studio and on a finished result alike. */
export interface PanelProps<Params> {
  params: Params
  onChange: (change: Partial<Params>) => void
  /** `before` the run every option counts; `after` it only those that draw the result again for free. */
  stage: 'before' | 'after'
  /** Files by the names of the tool's inputs, without the first. */
  files: Partial<Record<string, Blob>>
  /** Answers whether the file can be used; why not has been said then. */
  onFile: (name: string, file: File) => Promise<boolean>
  /** Marking an area on the picture; null where there is no single picture to mark. */
  area: { marked: boolean; marking: boolean; onMark: () => void; onClear: () => void } | null
}

/** The sentences of a tool's page. */
export interface ToolWords {
  /** On the button, e.g. "Hapus latar". */
  action: MessageDescriptor
  /** On the button for several pictures; `{count}` is how many. */
  actionMany: MessageDescriptor
  tagline: MessageDescriptor
  /** The how-to-use guide. */
  steps: readonly { title: MessageDescriptor; text: MessageDescriptor }[]
}

/** What is needed to show on the device, at once, how a result will look with other options. */
export interface PreviewProps<Params> {
  /** The picture that was sent; null when it is no longer kept. */
  sourceUrl: string | null
  /** An output that was drawn with options `from` accepts. */
  baseUrl: string
  params: Params
  files: Partial<Record<string, Blob>>
}

export interface ToolPanel<Params, Inputs extends InputSpecs = InputSpecs> {
  facts: ToolFacts<Params, Inputs>
  words: ToolWords
  panel: LazyExoticComponent<ComponentType<PanelProps<Params>>>
  /** Turns an area marked on the picture into parameters; absent where nothing can be marked. */
  areaParams?: (area: Box | undefined) => Partial<Params>
  preview?: {
    /** Whether an output drawn with these options can stand for the others. */
    from: (params: Params) => boolean
    /** Whether these options can be shown without the server. */
    shows: (params: Params) => boolean
    component: LazyExoticComponent<ComponentType<PreviewProps<Params>>>
  }
}

/** A tool as the studio handles it, whichever it is: its parameters are whatever its own panel makes of them. */
export type AnyToolPanel = ToolPanel<Record<string, unknown>>

export const toolPanel = <Params, Inputs extends InputSpecs>(panel: ToolPanel<Params, Inputs>): AnyToolPanel =>
  panel as unknown as AnyToolPanel
