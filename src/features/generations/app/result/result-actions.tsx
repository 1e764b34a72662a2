import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Archive, ChevronDown, Download } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#client/errors.ts'
import { formatBytes } from '#client/format.ts'
import { type ImageFormat, imageFormats } from '#contract/media.ts'
import { offerInstall } from '#features/installed-app/app/installed-app.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView, OutputView } from '../../types.ts'
import { ChoiceSheet } from './choice-sheet.tsx'
import { formatName, formatNames } from './format-name.ts'
import type { useRerender } from './rerender.ts'
import { canShareFiles, saveAll, saveFile, shareFiles } from './save-picture.ts'
import { WhatsappMark } from './whatsapp-mark.tsx'

/** Share and download, in any format or all at once. */
export function ResultActions({
  page,
  generation,
  shown,
  rerender: { params, renderNow },
  quiet,
}: {
  page: AnyToolPage
  generation: GenerationView
  /** Which output is looked at. */
  shown: number
  rerender: ReturnType<typeof useRerender>
  /** Something else comes next. */
  quiet: boolean
}) {
  const { t } = useLingui()
  const [choosing, setChoosing] = useState(false)
  const { outputs } = generation
  const output = outputs[shown] ?? outputs[0]
  const formats =
    page.definition.renderParams.includes('format') && (imageFormats as readonly unknown[]).includes(params.format)
  const format = formats ? (params.format as ImageFormat) : null
  const name = format ? formatNames[format] : output ? formatName(output.contentType) : ''

  const descriptions: Record<ImageFormat, string> = {
    png: t`Paling tajam, bisa transparan`,
    webp: t`Ringan, bisa transparan`,
    jpeg: t`Cocok untuk semua aplikasi, tanpa transparan`,
  }
  const oneOf = (files: OutputView[]) => files[shown] ?? (files[0] as OutputView)
  const saved = {
    onSuccess: () => {
      showSnackbar('success', t`Tersimpan di perangkatmu`)
      offerInstall()
    },
    onError: (error: Error) => showSnackbar('error', errorText(error)),
  }
  const save = useMutation({
    mutationFn: async (wanted: ImageFormat | null) =>
      saveFile(oneOf(await renderNow(wanted ? { format: wanted } : {}))),
    ...saved,
  })
  const all = useMutation({ mutationFn: async () => saveAll(await renderNow({}), page.definition.id), ...saved })
  const share = useMutation({
    mutationFn: async () => shareFiles(outputs.length > 1 ? await renderNow({}) : [oneOf(await renderNow({}))]),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const choices = [
    ...(format ? imageFormats : []).map((choice) => ({
      id: choice as string,
      icon: <Download aria-hidden className="size-5 shrink-0 text-primary" />,
      label: formatNames[choice],
      description: descriptions[choice],
      detail: choice === format && output && formatBytes(output.bytes),
      onChoose: () => save.mutate(choice),
    })),
    ...(outputs.length > 1
      ? [
          {
            id: 'all',
            icon: <Archive aria-hidden className="size-5 shrink-0 text-primary" />,
            label: t`Unduh semua (ZIP)`,
            onChoose: () => all.mutate(),
          },
        ]
      : []),
  ]
  const variant = quiet ? 'soft' : 'primary'
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <div className="flex min-w-0 flex-[1_0_12rem] gap-px">
          <Button
            size="lg"
            variant={variant}
            className={`min-w-0 flex-1 px-3 ${choices.length > 0 ? 'rounded-e-none' : ''}`}
            busy={save.isPending || all.isPending}
            icon={<Download aria-hidden className="size-5 shrink-0" />}
            onClick={() => save.mutate(format)}
          >
            {t`Unduh ${name}`}
          </Button>
          {choices.length > 0 && (
            <Button
              size="lg"
              variant={variant}
              className="rounded-s-none px-3"
              aria-label={t`Unduh dalam format lain`}
              aria-haspopup="dialog"
              onClick={() => setChoosing(true)}
            >
              <ChevronDown aria-hidden className="size-5" />
            </Button>
          )}
        </div>
        {canShareFiles() && (
          <Button
            size="lg"
            variant="soft"
            className="grow-0 px-3.5"
            aria-label={t`Bagikan ke WhatsApp atau aplikasi lain`}
            busy={share.isPending}
            onClick={() => share.mutate()}
            icon={<WhatsappMark className="size-6 shrink-0" />}
          />
        )}
      </div>
      {choosing && (
        <ChoiceSheet
          title={t`Unduh sebagai`}
          onClose={() => setChoosing(false)}
          choices={choices.map((choice) => ({
            ...choice,
            onChoose: () => {
              setChoosing(false)
              choice.onChoose()
            },
          }))}
        />
      )}
    </>
  )
}
