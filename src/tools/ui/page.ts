import type { MessageDescriptor } from '@lingui/core'
import type { ReactNode } from 'react'
import type { LazyComponent } from '#client/lazy.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/mask-view.ts'
import type { Facts, InputSpecs, ToolDefinition } from '../contract/tool.ts'
import type { PhotoCheckView } from '../contract/views.ts'

/** A tool's icon on 48 × 48: a line drawing with one filled shape. */
export interface ToolMark {
  line?: ReactNode
  fill?: ReactNode
}

/** Texts of a tool's page. */
export interface ToolLabels {
  /** In menus and galleries, below the tool's name. */
  tagline: MessageDescriptor
  /** At the top of its page. */
  intro: MessageDescriptor
  /** On the button, such as "Hapus latar". */
  action: MessageDescriptor
  /**
   * On the button for several generations; `{count}` is their number. Only needed where the
   * contract has `batch`.
   */
  actionMany?: MessageDescriptor
  /** On the button that applies the tool to its own result; absent where that makes no sense. */
  again?: MessageDescriptor
  /** The how-to-use guide. */
  steps: readonly { title: MessageDescriptor; text: MessageDescriptor }[]
  /** Advice on suitable pictures. */
  advice: MessageDescriptor
  /** Explains `credits` in the price list where they do not mean one picture. */
  price?: (credits: number) => MessageDescriptor
  /**
   * Texts of the codes that the contract's `problems` return, shown before the start, which they
   * block. A code without one is only reported by the server.
   */
  problems?: Readonly<Record<string, MessageDescriptor>>
}

/** A file chosen for an input, or an input of a finished result. */
export interface ToolFile {
  /** Stable while the file is chosen; a stage stores its state of the file under this id. */
  id: string
  name: string
  /** Address of the pixels; null where the browser cannot show it. */
  url: string | null
  /** Pixels in which it is sent, which parameters and checks refer to; null while unknown. */
  size: Size | null
  contentType: string
}

/** All files of a generation by input name, in order; an input without files may be absent. */
export type ToolFiles = Readonly<Partial<Record<string, readonly ToolFile[]>>>

/** Operations of a stage or panel on the chosen files. */
export interface FileChoice {
  /** Opens the file picker for an input. */
  add: (input: string) => void
  remove: (input: string, id: string) => void
  /** Moves a file among those of its input. */
  move: (input: string, from: number, to: number) => void
}

/** Props of a tool's options panel, in the studio and on a finished result. */
export interface PanelProps<Params, Stage = unknown> {
  params: Params
  onChange: (change: Partial<Params>) => void
  /** `before` the start every option counts; `after` it only those that render again for free. */
  phase: 'before' | 'after'
  /** Files by input name. */
  files: Partial<Record<string, readonly Blob[]>>
  /** Number of files of each input. On a finished result `files` may lack some of them. */
  counts: Readonly<Partial<Record<string, number>>>
  /** Takes a file for an input; resolves to false after showing why it cannot be used. */
  onFile: (input: string, file: File) => Promise<boolean>
  /**
   * Findings of the free check, with boxes and points in the pixels of `ToolFile.size`. Null while
   * unknown: nothing chosen, several generations, a visitor, no connection, a tool without photo
   * check, a finished result.
   */
  check: PhotoCheckView | null
  /** Facts about the chosen files, as far as `check` is known, or about a finished result. */
  facts: Facts
  /** State of the tool's stage; null where there is no single picture for it. */
  stage: { state: Stage; onChange: (change: (now: Stage) => Stage) => void } | null
}

/**
 * Props of a tool's own stage. It fills the frame of the first picture; a stage over several
 * pictures finds all in `files` and sets the frame's shape with `ToolStage.frame`.
 */
export interface StageProps<Stage = unknown, Params = unknown> {
  /** The first picture as shown below the stage's own elements. */
  picture: ReactNode
  /** Address of the first picture's pixels; null where the browser cannot show it. */
  pictureUrl: string | null
  /** The first picture's size in pixels. */
  size: Size
  /** On a finished result that shows it: the visible part of the picture. */
  view?: MaskView | undefined
  state: Stage
  onChange: (change: (now: Stage) => Stage) => void
  /** Current options of the panel. */
  params: Params
  onParams: (change: Partial<Params>) => void
  /** All files of all inputs. */
  files: ToolFiles
  /** Null on a finished result, whose files are fixed. */
  choice: FileChoice | null
  /** As in `PanelProps`; on a finished result the faces among its facts. */
  check: PhotoCheckView | null
}

/**
 * Gestures over the picture or between pictures: a box, a brush, a face picker, the cells of a
 * layout. The state is in shares of the pictures, parameters are in pixels. It exists for every
 * generation: of one picture, or of several where the contract has no `batch`.
 */
export interface ToolStage<Params, Stage = unknown> {
  component: LazyComponent<StageProps<Stage, Params>>
  /** State for these parameters; `size` and `files` as in `params`. */
  from: (params: Params, size: Size, files: ToolFiles) => Stage
  /**
   * Parameters for the state. `size` is the first picture's in the pixels in which it is sent, like
   * every size in `files`; files may have changed since the state was made, so it refers to them by
   * id. `check` has the faces.
   */
  params: (state: Stage, size: Size, files: ToolFiles, check: PhotoCheckView | null) => Partial<Params>
  /**
   * True while the stage is visible; otherwise the plain picture, the inputs or the comparison are.
   */
  active: (state: Stage, phase: 'before' | 'after', files: ToolFiles) => boolean
  /** Shape of the stage where it is not the first picture's, such as a page. */
  frame?: (params: Params, state: Stage, files: ToolFiles) => Size
  /**
   * Works on one picture of a batch after the other: with one state for all, or one for each shape,
   * until a picture gets its own. Absent: single pictures only.
   */
  batch?: 'together' | 'by shape'
  /** Message about a missing step before the start; `state` is null while untouched. */
  missing?: (state: Stage | null, check: PhotoCheckView | null) => MessageDescriptor | undefined
}

/** Props for showing other options of a result on the device at once. */
export interface PreviewProps<Params> {
  /** The sent picture; null when it is no longer kept. */
  sourceUrl: string | null
  /** An output rendered with options that `from` accepts. */
  baseUrl: string
  params: Params
  files: Partial<Record<string, readonly Blob[]>>
}

/** A way forward after a failure: back to the file with a change made. */
export interface Recovery<Params, Stage = unknown> {
  /** On the button. */
  label: MessageDescriptor
  params?: Partial<Params>
  /** Receives the findings of the photo check, if there was one. */
  stage?: (now: Stage, found?: Facts) => Stage
}

/** Everything that the app needs of a tool. */
export interface ToolPage<Params, Inputs extends InputSpecs = InputSpecs, Stage = unknown> {
  definition: ToolDefinition<Params, Inputs>
  icon: ToolMark
  labels: ToolLabels
  /** Sample pictures that suit the tool; a cat and a cup of coffee by default. */
  examples?: readonly ('cat' | 'coffee' | 'rocket' | 'dandelions')[]
  /**
   * Pictures in public/samples/tools (src/dev/showcase.mjs): the result alone, or with its
   * photograph.
   */
  showcase?: 'pair' | 'result'
  panel: LazyComponent<PanelProps<Params, Stage>>
  /** Inputs that the panel asks for itself; the studio asks for all others. */
  panelInputs?: readonly (keyof Inputs & string)[]
  stage?: ToolStage<Params, Stage>
  /**
   * Remedies by error code, for example marking the object: a button that leads back to the picture
   * with this change made. Without an entry the user is offered the options, or another picture.
   */
  recovery?: Readonly<Record<string, Recovery<Params, Stage>>>
  /**
   * For generations that only try another one: a button on the result leads back to the file with
   * this change made.
   */
  trial?: Recovery<Params, Stage> & { is: (params: Params) => boolean }
  /**
   * The engine also runs on the device (`device-engines.ts`): shows a small preview until the
   * server has the result, or `before` the start with every change of options.
   */
  onDevice?: 'meanwhile' | 'before'
  preview?: {
    /** True when an output rendered with these options can stand for others. */
    from: (params: Params) => boolean
    /** True when these options can be shown without the server. */
    shows: (params: Params) => boolean
    component: LazyComponent<PreviewProps<Params>>
  }
}

/** A tool's page for generic code. */
export type AnyToolPage = ToolPage<Record<string, unknown>>

/** Hides the types of a page's own parameters and stage from generic code. */
export const toolPage = <Params, Inputs extends InputSpecs, Stage = unknown>(
  page: ToolPage<Params, Inputs, Stage>,
): AnyToolPage => page as unknown as AnyToolPage
