import type { MessageDescriptor } from '@lingui/core'
import type { ReactNode } from 'react'
import type { LazyComponent } from '#client/lazy.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/paint.ts'
import type { PhotoCheckView } from '../contract/schemas.ts'
import type { Facts, InputSpecs, ToolDefinition } from '../contract/tool.ts'

/** 48 × 48: a line drawing with one filled shape. */
export interface ToolMark {
  line?: ReactNode
  fill?: ReactNode
}

export interface ToolLabels {
  tagline: MessageDescriptor
  /** At the top of the page. */
  intro: MessageDescriptor
  /** Button, such as "Hapus latar". */
  action: MessageDescriptor
  /** Button for several generations, `{count}`; only needed where the contract has `batch`. */
  actionMany?: MessageDescriptor
  /** Button that applies the tool to its own result; absent where that makes no sense. */
  again?: MessageDescriptor
  steps: readonly { title: MessageDescriptor; text: MessageDescriptor }[]
  advice: MessageDescriptor
  /** Explains `credits` in the price list where they do not mean one picture. */
  price?: (credits: number) => MessageDescriptor
  /**
   * By code of the contract's `problems`; shown before the start, which they block. A code without
   * a text is only reported by the server.
   */
  problems?: Readonly<Record<string, MessageDescriptor>>
}

/** Chosen for an input, or an input of a finished result. */
export interface ToolFile {
  /** Stable while the file is chosen; a stage stores its state of the file under this id. */
  id: string
  name: string
  /** Null where the browser cannot show it. */
  url: string | null
  /** Pixels in which it is sent, which parameters and checks refer to; null while unknown. */
  size: Size | null
  contentType: string
}

/** By input name, in order; an input without files may be absent. */
export type ToolFiles = Readonly<Partial<Record<string, readonly ToolFile[]>>>

export interface FileChoice {
  add: (input: string) => void
  remove: (input: string, id: string) => void
  /** Moves a file among those of its input. */
  move: (input: string, from: number, to: number) => void
  /** Gives each of two inputs the other's files; absent where these do not fit. */
  exchange?: () => void
}

/** Used in the studio and on a finished result. */
export interface PanelProps<Params, Stage = unknown> {
  params: Params
  onChange: (change: Partial<Params>) => void
  /** `before` the start every option counts; `after` it only those that render again for free. */
  phase: 'before' | 'after'
  files: Partial<Record<string, readonly Blob[]>>
  /** Files of each input; on a finished result `files` may lack some of them. */
  counts: Readonly<Partial<Record<string, number>>>
  /** Resolves to false after showing why the file cannot be used. */
  onFile: (input: string, file: File) => Promise<boolean>
  /**
   * Boxes and points in the pixels of `ToolFile.size`. Null while unknown: nothing chosen, several
   * generations, a visitor, no connection, a tool without photo check, a finished result.
   */
  check: PhotoCheckView | null
  /** About the chosen files, as far as `check` is known, or about a finished result. */
  facts: Facts
  /** Null where there is no single picture for it. */
  stage: { state: Stage; onChange: (change: (now: Stage) => Stage) => void } | null
}

/**
 * The stage fills the frame of the first picture, or sets the frame's shape with `ToolStage.frame`.
 */
export interface StageProps<Stage = unknown, Params = unknown> {
  /** The first picture, shown below the stage's own elements. */
  picture: ReactNode
  /** Null where the browser cannot show the picture. */
  pictureUrl: string | null
  size: Size
  /** On a finished result that shows it: the visible part of the picture. */
  view?: MaskView | undefined
  state: Stage
  onChange: (change: (now: Stage) => Stage) => void
  params: Params
  onParams: (change: Partial<Params>) => void
  files: ToolFiles
  /** Null on a finished result, whose files are fixed. */
  choice: FileChoice | null
  /** As in `PanelProps`; on a finished result the faces among its facts. */
  check: PhotoCheckView | null
}

/**
 * Gestures over pictures: a box, a brush, a face picker, the cells of a layout. The state is in
 * shares of the pictures, parameters are in pixels. Generations of several pictures have it where
 * the contract has no `batch`.
 */
export interface ToolStage<Params, Stage = unknown> {
  component: LazyComponent<StageProps<Stage, Params>>
  /** `size` and `files` as in `params`. */
  from: (params: Params, size: Size, files: ToolFiles) => Stage
  /**
   * `size` is the first picture's in the pixels in which it is sent, like every size in `files`;
   * files may have changed since the state was made, so it refers to them by id. `check` has the
   * faces.
   */
  params: (state: Stage, size: Size, files: ToolFiles, check: PhotoCheckView | null) => Partial<Params>
  /**
   * True while the stage is visible; otherwise the plain picture, the inputs or the comparison are.
   */
  active: (state: Stage, phase: 'before' | 'after', files: ToolFiles) => boolean
  /** Shape of the stage where it is not the first picture's, such as a page. */
  frame?: (params: Params, state: Stage, files: ToolFiles) => Size
  /**
   * Shares one state among the pictures of a batch, or among those of each shape, until a picture
   * gets its own. Absent: single pictures only.
   */
  batch?: 'together' | 'by shape'
  /** Message about a missing step before the start; `state` is null while untouched. */
  missing?: (state: Stage | null, check: PhotoCheckView | null) => MessageDescriptor | undefined
}

export interface PreviewProps<Params> {
  /** Null when the sent picture is no longer kept. */
  sourceUrl: string | null
  /** An output rendered with options that `from` accepts. */
  baseUrl: string
  params: Params
  files: Partial<Record<string, readonly Blob[]>>
}

/** After a failure: back to the file with a change made. */
export interface Recovery<Params, Stage = unknown> {
  label: MessageDescriptor
  /** A label about the findings of the photo check, before the start. */
  labelFor?: (found: Facts) => MessageDescriptor | undefined
  params?: Partial<Params>
  /** `found` has the findings of the photo check, if there was one. */
  stage?: (now: Stage, found?: Facts) => Stage
}

export interface FileDrawingProps<Params> {
  params: Params
  /** Of the first output. */
  url: string
}

export interface ToolPage<Params, Inputs extends InputSpecs = InputSpecs, Stage = unknown> {
  definition: ToolDefinition<Params, Inputs>
  icon: ToolMark
  labels: ToolLabels
  /** A cat and a cup of coffee by default. */
  examples?: readonly ('cat' | 'coffee' | 'rocket' | 'dandelions')[]
  /**
   * Pictures in public/samples/tools (src/scripts/showcase.mjs): the result alone, or with its
   * photograph.
   */
  showcase?: 'pair' | 'result'
  panel: LazyComponent<PanelProps<Params, Stage>>
  /** Of the panel on a phone, in rem: reserved while it loads. */
  panelHeight?: number
  /** The panel draws samples of the photograph, which a reopened result loads for it. */
  samplesPhoto?: true
  /** Asked for by the panel; the studio asks for all others. */
  panelInputs?: readonly (keyof Inputs & string)[]
  stage?: ToolStage<Params, Stage>
  /**
   * By error code: a button that leads back to the picture with this change made. Without an entry
   * the user is offered the options, or another picture.
   */
  recovery?: Readonly<Record<string, Recovery<Params, Stage>>>
  /** A button on the result that leads back to its photo and options for another, paid one. */
  revision?: Recovery<Params, Stage>
  /** For generations that only try another one: a button on the result that makes this change. */
  trial?: Recovery<Params, Stage> & { is: (params: Params) => boolean }
  /**
   * The engine also runs on the device (`device-engines.ts`): shows a small preview until the
   * server has the result, or `before` the start with every change of options.
   */
  onDevice?: 'meanwhile' | 'before'
  /** Draws an output that a page cannot show, such as a PDF, from the first one. */
  drawing?: LazyComponent<FileDrawingProps<Params>>
  preview?: {
    /** True when an output rendered with these options can stand for others. */
    from: (params: Params) => boolean
    /** True when these options can be shown without the server. */
    shows: (params: Params) => boolean
    component: LazyComponent<PreviewProps<Params>>
  }
}

export type AnyToolPage = ToolPage<Record<string, unknown>>

/** Hides the types of parameters and stage from generic code. */
export const toolPage = <Params, Inputs extends InputSpecs, Stage = unknown>(
  page: ToolPage<Params, Inputs, Stage>,
): AnyToolPage => page as unknown as AnyToolPage

export interface ToolEntry {
  id: string
  route: string
  name: MessageDescriptor
  tagline: MessageDescriptor
  icon: ToolMark
  showcase?: AnyToolPage['showcase']
  inputs?: InputSpecs
}
