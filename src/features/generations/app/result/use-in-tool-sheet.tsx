import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Palette } from 'lucide-react'
import { useLocation } from 'wouter'
import { errorText } from '#client/errors.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { OutputView } from '../../types.ts'
import { saveDraft } from '../draft.ts'
import { mainInput } from '../studio/inputs.ts'
import { pictureBlob } from './save-picture.ts'

/** Asks which tool goes on with a result. */
export function UseInToolSheet({
  open,
  tools,
  output,
  generationId,
  onClose,
}: {
  open: boolean
  tools: readonly AnyToolPage[]
  output: OutputView
  generationId: string
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const carry = useMutation({
    mutationFn: async (to: AnyToolPage | 'designer') => {
      const blob = await pictureBlob(output)
      const file = new File([blob], output.name, { type: output.contentType })
      if (to === 'designer') {
        await saveDraft({ tool: 'customize-edit', files: [{ file, output: output.id }], settings: { generationId } })
        navigate('/customize-edit')
        return
      }
      const { facts } = to
      await saveDraft({ tool: facts.id, files: [{ file, input: mainInput(facts), output: output.id }] })
      navigate(facts.route)
    },
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Pakai di alat lain`}>
      <ul className="grid gap-1">
        {tools.map((page) => (
          <li key={page.facts.id}>
            <button
              type="button"
              className="flex min-h-14 w-full cursor-pointer items-center gap-4 rounded-box px-4 py-2 text-left transition-colors hover:bg-base-200"
              disabled={carry.isPending}
              onClick={() => carry.mutate(page)}
            >
              <ToolIcon mark={page.icon} className="size-8 shrink-0" />
              <span className="font-semibold">{i18n._(page.facts.label)}</span>
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            className="flex min-h-14 w-full cursor-pointer items-center gap-4 rounded-box px-4 py-2 text-left transition-colors hover:bg-base-200"
            disabled={carry.isPending}
            onClick={() => carry.mutate('designer')}
          >
            <Palette aria-hidden className="size-8 shrink-0 p-1" />
            <span className="font-semibold">{t`Minta desainer`}</span>
          </button>
        </li>
      </ul>
    </BottomSheet>
  )
}
