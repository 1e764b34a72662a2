import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { AnyToolPage, FileChoice, StageProps, ToolFiles, ToolStage } from '#tools/ui/page.ts'
import { mainInput, useToolFiles } from './inputs.ts'
import { stageOf, withStage } from './stage-of.ts'
import type { Dispatch, StudioState } from './studio-state.ts'

export interface StageView {
  component: ToolStage<Record<string, unknown>>['component']
  /** True if the stage replaces the picture, the inputs or the comparison. */
  active: boolean
  frame: { width: number; height: number }
  props: Omit<StageProps<unknown, Record<string, unknown>>, 'picture' | 'pictureUrl'>
}

/** Null without a stage, or without a picture of known size. */
export function useToolStage(
  page: AnyToolPage,
  state: StudioState,
  { check, choice, dispatch }: { check: PhotoCheckView | null; choice: FileChoice; dispatch: Dispatch },
): StageView | null {
  const { definition, stage } = page
  const files: ToolFiles = useToolFiles(state)
  const main = mainInput(definition)
  const pictures = state.inputs[main] ?? []
  const [picture] = pictures
  const size = picture?.size
  const sent = files[main]?.[0]?.size
  // Several pictures of a batch are several generations, without a common stage.
  if (!stage || !picture || !size || !sent || (definition.batch && pictures.length > 1)) return null
  const own = state.stage ?? stage.from(state.params, sent, files)
  const change = (next: (now: unknown) => unknown) =>
    dispatch({
      type: 'changed',
      settings: (now) => withStage(page, now, picture, next(stageOf(page, now, picture) ?? own)),
    })
  return {
    component: stage.component,
    active: stage.active(own, 'before', files),
    frame: stage.frame?.(state.params, own, files) ?? size,
    props: {
      size,
      state: own,
      onChange: change,
      params: state.params,
      onParams: (params) =>
        dispatch({ type: 'changed', settings: (now) => ({ params: { ...now.params, ...params } }) }),
      files,
      choice,
      check,
    },
  }
}
