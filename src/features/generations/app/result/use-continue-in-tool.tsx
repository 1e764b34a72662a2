import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { findToolPage } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { saveDraft } from '../draft.ts'
import { mainInput, resultFiles } from '../studio/inputs.ts'
import { keptParams } from '../studio/kept-params.ts'
import type { GenerationRecovery } from '../studio/studio-state.ts'
import { pictureBlob } from './save-picture.ts'

export function useContinueInTool(generation: GenerationView, output: OutputView | undefined) {
  const [, navigate] = useLocation()
  return useAction(async (tool: string) => {
    if (!output) return
    const page = findToolPage(tool)
    const file = new File([await pictureBlob(output)], output.name, { type: output.contentType })
    await saveDraft(
      page
        ? { tool, files: [{ file, output: output.id, input: mainInput(page.definition) }] }
        : { tool, files: [{ file, output: output.id }], settings: { generationId: generation.id } },
    )
    navigate(page?.definition.route ?? `/${tool}`)
  })
}

/**
 * Opens the tool with the inputs and options of a generation; undefined once they are deleted.
 * `local`: the first input, if it is still here.
 */
export function useTryAgain(
  generation: GenerationView | undefined,
  local?: Blob,
): ((help?: GenerationRecovery) => void) | undefined {
  const [, navigate] = useLocation()
  const action = useAction(async (help: GenerationRecovery | undefined) => {
    const page = findToolPage(generation?.tool ?? '')
    const source = generation?.inputs[0]
    if (!page || !source) return
    const { definition, stage } = page
    const params = { ...definition.defaults, ...keptParams(definition, generation.params), ...help?.params }
    const helped =
      help?.stage &&
      stage &&
      help.stage(stage.from({ ...params, ...generation.params, ...help.params }, source, resultFiles(generation)))
    const files = generation.inputs.map(async (file) => ({
      file: new File([(file === source && local) || (await pictureBlob(file))], file.name, { type: file.contentType }),
      input: file.input,
    }))
    const settings = { params, stage: helped ?? null, stages: {}, shrink: true }
    await saveDraft({ tool: definition.id, files: await Promise.all(files), settings })
    navigate(definition.route)
  })
  return generation?.inputs.length ? (help) => action.mutate(help) : undefined
}

const needsOtherPhoto = ['engine.no_face', 'engine.already_coloured', 'engine.unsafe_picture']

/** False where only another photo helps, and after the same failure twice. */
export function isRepeatable({ error }: GenerationView, { definition, recovery }: AnyToolPage): boolean {
  const code = error?.code ?? ''
  const otherHelps = needsOtherPhoto.includes(code) && Object.keys(definition.inputs).length === 1
  return !otherHelps && (error?.repeated !== true || recovery?.[code] !== undefined)
}

/** Below the tile of a failed generation. */
export function TryAgainButton({ generation }: { generation: GenerationView }) {
  const { t } = useLingui()
  const again = useTryAgain(generation)
  const page = findToolPage(generation.tool)
  if (!again || !page || !isRepeatable(generation, page)) return null
  const name = generation.inputs[0]?.name ?? ''
  return (
    <Button
      variant="soft"
      className="mt-2 w-full"
      aria-label={t`Coba lagi: ${name}`}
      onClick={() => again(page.recovery?.[generation.error?.code ?? ''])}
    >
      {t`Coba lagi`}
    </Button>
  )
}

export const designerToolId = 'customize-edit'
