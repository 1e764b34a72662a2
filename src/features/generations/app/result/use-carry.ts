import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { errorText } from '#client/errors.ts'
import { findToolPage } from '#tools/pages.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView, OutputView } from '../../types.ts'
import { saveDraft } from '../draft.ts'
import { mainInput } from '../studio/inputs.ts'
import { pictureBlob } from './save-picture.ts'

/** Takes a result on: into a tool by its id, or to a designer. */
export function useCarry(generation: GenerationView, output: OutputView | undefined) {
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: async (tool: string) => {
      if (!output) return
      const page = findToolPage(tool)
      const file = new File([await pictureBlob(output)], output.name, { type: output.contentType })
      await saveDraft(
        page
          ? { tool, files: [{ file, output: output.id, input: mainInput(page.definition) }] }
          : { tool, files: [{ file, output: output.id }], settings: { generationId: generation.id } },
      )
      navigate(page?.definition.route ?? `/${tool}`)
    },
    onError: (error) => showSnackbar('error', errorText(error)),
  })
}

/** A designer's custom edit, in place of a tool. */
export const designer = 'customize-edit'
