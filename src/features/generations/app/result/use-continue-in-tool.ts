import { useLocation } from 'wouter'
import { findToolPage } from '#tools/pages.ts'
import { useAction } from '#ui/use-action.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { saveDraft } from '../draft.ts'
import { mainInput } from '../studio/inputs.ts'
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

export const designerToolId = 'customize-edit'
