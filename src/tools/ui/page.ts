import type { MessageDescriptor } from '@lingui/core'
import type { ReactNode } from 'react'
import type { LateComponent } from '#client/lazy.ts'
import type { Size } from '#ui/geometry.ts'
import type { MaskView } from '#ui/mask-editor/mask-view.ts'
import type { Facts, InputSpecs, ToolDefinition } from '../contract/tool.ts'
import type { PhotoCheckView } from '../contract/views.ts'

/** A tool's drawn mark on 48 × 48: a line drawing with one filled thing that the tool is about. */
export interface ToolMark {
  line?: ReactNode
  fill?: ReactNode
}

/** The texts of a tool's page. */
export interface ToolLabels {
  /** In menus and galleries, below the tool's name. */
  tagline: MessageDescriptor
  /** At the head of its page. */
  intro: MessageDescriptor
  /** On the button, e.g. "Hapus latar". */
  action: MessageDescriptor
  /**
   * On the button for several runs; `{count}` is how many. Only called for where the contract has
   * `batch`.
   */
  actionMany?: MessageDescriptor
  /** On the button that runs the tool once more, on its own result; absent: nobody would. */
  again?: MessageDescriptor
  /** The how-to-use guide. */
  steps: readonly { title: MessageDescriptor; text: MessageDescriptor }[]
  /** Which pictures give good results. */
  advice: MessageDescriptor
  /**
   * In the price list, from the tool's `credits`: what they are for, and that others are the least,
   * where that is not one picture.
   */
  price?: (credits: number) => MessageDescriptor
  /**
   * Sentences for codes that the contract's `problems` return, shown before the run, which they
   * block. A code without one is only told by the server, when it refuses the run.
   */
  problems?: Readonly<Record<string, MessageDescriptor>>
}

/** A file that was chosen for an input, or that a finished result was made from. */
export interface ToolFile {
  /**
   * The same as long as the file is chosen: what a stage remembers of a file it remembers under
   * this.
   */
  id: string
  name: string
  /** Where its pixels are; null where the browser cannot show it. */
  url: string | null
  /**
   * Pixels in which it is sent, so those of parameters and of a check; null where that is not
   * known yet.
   */
  size: Size | null
  contentType: string
}

/**
 * Every file of a run by the names of the tool's inputs, in their order; an input without files may
 * be absent.
 */
export type ToolFiles = Readonly<Partial<Record<string, readonly ToolFile[]>>>

/** How a stage or panel changes which files are chosen. */
export interface FileChoice {
  /** Opens the file picker for an input. */
  add: (input: string) => void
  remove: (input: string, id: string) => void
  /** Puts a file to another place among those of its input. */
  move: (input: string, from: number, to: number) => void
}

/** What a tool's option form is given, in the studio and on a finished result alike. */
export interface PanelProps<Params, Stage = unknown> {
  params: Params
  onChange: (change: Partial<Params>) => void
  /**
   * `before` the run every option counts; `after` it only those that render the result again for
   * free.
   */
  phase: 'before' | 'after'
  /** Files by the names of the tool's inputs. */
  files: Partial<Record<string, readonly Blob[]>>
  /**
   * How many files each input has. On a finished result not all of them are at hand in `files`.
   */
  counts: Readonly<Partial<Record<string, number>>>
  /**
   * Takes a file for an input; resolves to whether it can be used, and has said why when it cannot.
   */
  onFile: (input: string, file: File) => Promise<boolean>
  /**
   * What the tool's free check found in the chosen files, with boxes and points in the pixels of
   * `ToolFile.size`. Null while it is not known: nothing was chosen, several runs, a visitor, no
   * connection, a tool that checks no photos, a finished result.
   */
  check: PhotoCheckView | null
  /**
   * What the tool says of the chosen files, as far as `check` is known, or of a finished
   * result.
   */
  facts: Facts
  /** The state of the tool's stage; null where there is no single picture that it could work on. */
  stage: { state: Stage; onChange: (change: (now: Stage) => Stage) => void } | null
}

/**
 * What a tool's own stage is given. It fills the frame of the first picture; a stage over several
 * pictures finds all of them in `files` and gives the frame a shape of its own with
 * `ToolStage.frame`.
 */
export interface StageProps<Stage = unknown, Params = unknown> {
  /** The first picture as it is to be seen below the stage's own things. */
  picture: ReactNode
  /** Address of the first picture's pixels; null where the browser cannot show it. */
  pictureUrl: string | null
  /** The first picture's size in pixels. */
  size: Size
  /** On a finished result that shows it: what of the picture is seen there, and how. */
  view?: MaskView | undefined
  state: Stage
  onChange: (change: (now: Stage) => Stage) => void
  /** The options as they are in the panel. */
  params: Params
  onParams: (change: Partial<Params>) => void
  /** All files of all inputs. */
  files: ToolFiles
  /** Null on a finished result, whose files are what they are. */
  choice: FileChoice | null
  /** As in `PanelProps`; on a finished result the faces that the run tells among its facts. */
  check: PhotoCheckView | null
}

/**
 * Gestures over the picture or between pictures: a box, a brush, a face picker, the cells of a
 * layout. Their state is in shares of the pictures, parameters are in pixels. It is there for every
 * run: of one picture, or of several where the contract has no `batch`.
 */
export interface ToolStage<Params, Stage = unknown> {
  component: LateComponent<StageProps<Stage, Params>>
  /** The state that belongs to these parameters; `size` and `files` as in `params`. */
  from: (params: Params, size: Size, files: ToolFiles) => Stage
  /**
   * The parameters that follow from the state. `size` is the first picture's in the pixels in which
   * it is sent, and so is every size in `files`; files may have come and gone since the state was
   * made, so it knows them by id. In `check` are the faces.
   */
  params: (state: Stage, size: Size, files: ToolFiles, check: PhotoCheckView | null) => Partial<Params>
  /**
   * Whether the stage is to be seen now; else the plain picture, the inputs or the comparison are.
   */
  active: (state: Stage, phase: 'before' | 'after', files: ToolFiles) => boolean
  /** The shape of the stage where it is not the first picture's, e.g. a page. */
  frame?: (params: Params, state: Stage, files: ToolFiles) => Size
  /**
   * That it works on one picture of a batch after the other: with one state for all of them, or
   * with one for those of a shape, until a picture gets its own. Absent: on single pictures only.
   */
  batch?: 'together' | 'by shape'
  /** What still has to be done before a run can start; `state` is null while nothing was done. */
  missing?: (state: Stage | null, check: PhotoCheckView | null) => MessageDescriptor | undefined
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

/** A way on after a run: back to the file with a change made. */
export interface Recovery<Params, Stage = unknown> {
  /** On the button. */
  label: MessageDescriptor
  params?: Partial<Params>
  /** With what the check of the photo found, if there was one. */
  stage?: (now: Stage, found?: Facts) => Stage
}

/** All that the app needs of a tool. */
export interface ToolPage<Params, Inputs extends InputSpecs = InputSpecs, Stage = unknown> {
  definition: ToolDefinition<Params, Inputs>
  icon: ToolMark
  labels: ToolLabels
  /** Which of our own examples show what it does; a cat and a cup of coffee unless given. */
  examples?: readonly ('cat' | 'coffee' | 'rocket' | 'dandelions')[]
  /**
   * Pictures of what it makes lie in public/samples/tools (src/dev/showcase.mjs): of a result
   * alone, or of its photograph too.
   */
  showcase?: 'pair' | 'result'
  panel: LateComponent<PanelProps<Params, Stage>>
  /** Inputs that the panel asks for by itself; the studio asks for all others. */
  panelInputs?: readonly (keyof Inputs & string)[]
  stage?: ToolStage<Params, Stage>
  /**
   * What may help after a run failed with a code, e.g. to mark the object: a button that leads back
   * to the picture with this change made. Without an entry people are offered their options, or
   * another picture.
   */
  recovery?: Readonly<Record<string, Recovery<Params, Stage>>>
  /**
   * Some runs only try what another will make: a button on the result leads back to the file with
   * this change made.
   */
  trial?: Recovery<Params, Stage> & { is: (params: Params) => boolean }
  /**
   * Its engine also runs on people's devices (`device-engines.ts`): what a run will give is shown
   * small until the server has it, or `before` the run already, with every change of its options.
   */
  onDevice?: 'meanwhile' | 'before'
  preview?: {
    /** Whether an output rendered with these options can stand for the others. */
    from: (params: Params) => boolean
    /** Whether these options can be shown without the server. */
    shows: (params: Params) => boolean
    component: LateComponent<PreviewProps<Params>>
  }
}

/**
 * A tool as the studio handles it, whichever it is: its parameters are whatever its own panel makes
 * of them.
 */
export type AnyToolPage = ToolPage<Record<string, unknown>>

/**
 * Hides the types of a page's own parameters and stage from the code that handles all pages alike.
 */
export const toolPage = <Params, Inputs extends InputSpecs, Stage = unknown>(
  page: ToolPage<Params, Inputs, Stage>,
): AnyToolPage => page as unknown as AnyToolPage
