import { useLingui } from '@lingui/react/macro'
import { Archive, ChevronDown, Download, Link2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatBytes } from '#client/format.ts'
import { offerInstall } from '#features/installed-app/app/installed-app.ts'
import { type ImageFormat, imageFormatInfo, imageFormats } from '#shared/media.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { WhatsappMark } from '#ui/whatsapp-mark.tsx'
import { isShareable } from '../../rules.ts'
import type { GenerationView, OutputView } from '../../schemas.ts'
import { takePendingDownload } from '../studio/pending-generation.ts'
import type { useRerender } from './rerender.ts'
import { ChoiceSheet, ResultLinkSheet } from './result-menu.tsx'
import { canShareFiles, formatName, formatNames, saveAll, saveFile, useShare } from './save-picture.ts'

export function ResultActions({
  page,
  generation,
  shown,
  rerender: { params, renderNow },
  quiet,
}: {
  page: AnyToolPage
  generation: GenerationView
  shown: number
  rerender: ReturnType<typeof useRerender>
  quiet: boolean
}) {
  const { t } = useLingui()
  const [choosing, setChoosing] = useState(false)
  const [linking, setLinking] = useState(false)
  const sharesFiles = canShareFiles()
  const { outputs } = generation
  const output = outputs[shown] ?? outputs[0]
  const format = output && followsFormat(page, generation, output) ? (params.format as ImageFormat) : null
  const name = format ? formatNames[format] : output ? formatName(output.contentType) : ''

  const descriptions: Record<ImageFormat, string> = {
    png: t`Paling tajam, bisa transparan`,
    webp: t`Ringan, bisa transparan`,
    jpeg: t`Cocok untuk semua aplikasi, tanpa transparan`,
  }
  const oneOf = (files: OutputView[]) => files[shown] ?? (files[0] as OutputView)
  const message = t`Tersimpan di perangkatmu`
  const save = useAction(async (wanted: ImageFormat | null) => {
    const saved = oneOf(await renderNow(wanted ? { format: wanted } : {}))
    await saveFile(saved)
    offerInstall(generation.id)
    const kind = formatName(saved.contentType)
    const refused = wanted !== null && kind !== formatNames[wanted]
    showSnackbar('success', refused ? t`Tersimpan sebagai ${kind}, satu-satunya format hasil ini` : message)
  })
  const saveOwed = useEffectEvent(() => {
    if (takePendingDownload(generation.id)) save.mutate(format)
  })
  // The sign-up button promised the download.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each result
  useEffect(() => saveOwed(), [generation.id])
  const all = useAction(async () => {
    await saveAll(await renderNow({}), page.definition.id)
    offerInstall(generation.id)
  }, message)
  const share = useShare(() => renderNow({}))
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
        <div className="@container flex min-w-0 flex-[9_0_min(11rem,100%)] gap-px on-side:flex-[2_0_min(8rem,150px,100%)]">
          <Button
            size="lg"
            variant={variant}
            className={`min-w-0 flex-1 px-2 ${choices.length > 0 ? 'rounded-e-none' : ''}`}
            busy={save.isPending || all.isPending}
            icon={Download}
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
        {sharesFiles && (
          <Button
            size="lg"
            variant="soft"
            className="grow px-3.5 on-side:grow-0"
            aria-label={t`Bagikan ke WhatsApp atau aplikasi lain`}
            busy={share.isPending}
            onClick={() => share.mutate()}
            icon={WhatsappMark}
          >
            {t`Bagikan`}
          </Button>
        )}
        {!sharesFiles && output && isShareable(output) && (
          <Button
            size="lg"
            variant="soft"
            className="grow px-3.5 on-side:grow-0"
            aria-haspopup="dialog"
            onClick={() => setLinking(true)}
            icon={Link2}
          >
            {t`Bagikan`}
          </Button>
        )}
      </div>
      {linking && output && (
        <ResultLinkSheet generation={generation} output={output} onClose={() => setLinking(false)} />
      )}
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

/** Print sheets and stickers keep their own format. */
function followsFormat({ definition }: AnyToolPage, { params }: GenerationView, { contentType }: OutputView): boolean {
  const format = imageFormats.find((one) => one === { ...definition.defaults, ...params }.format)
  return (
    format !== undefined &&
    definition.renderParams.includes('format') &&
    contentType === imageFormatInfo[format].contentType
  )
}
