import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, ChevronDown, Download, Forward, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#app/errors.ts'
import { formatDate } from '#app/format.ts'
import { offerInstall } from '#app/offline/install.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { type ImageFormat, imageFormats } from '#contract/media.ts'
import type { AnyToolPage } from '#tools/page.ts'
import type { GenerationView, OutputView } from '../../contract.ts'
import { Claim } from './claim.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { formatName, formatNames } from './format-name.ts'
import { FormatSheet } from './format-sheet.tsx'
import { canShareFiles, isPicture, saveAll, saveFile, shareFiles } from './save-picture.ts'
import { otherToolsFor, UseInToolSheet } from './use-in-tool-sheet.tsx'

/** Download in any format or all at once, share, use in another tool, delete. */
export function ResultActions({
  page,
  generation,
  shown,
  params,
  renderNow,
  onDeleted,
}: {
  page: AnyToolPage
  generation: GenerationView
  /** Which output is looked at. */
  shown: number
  params: Record<string, unknown>
  renderNow: (change: Record<string, unknown>) => Promise<OutputView[]>
  onDeleted: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [sheet, setSheet] = useState<'format' | 'tool' | 'delete' | null>(null)
  const { outputs } = generation
  const output = outputs[shown] ?? outputs[0]
  const formats =
    page.facts.renderParams.includes('format') && (imageFormats as readonly unknown[]).includes(params.format)
  const format = formats ? (params.format as ImageFormat) : null
  const name = format ? formatNames[format] : output ? formatName(output.contentType) : ''
  const until = formatDate(generation.expiresAt)

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
  const all = useMutation({ mutationFn: async () => saveAll(await renderNow({}), page.facts.id), ...saved })
  const share = useMutation({
    mutationFn: async () => shareFiles(outputs.length > 1 ? await renderNow({}) : [oneOf(await renderNow({}))]),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const tools = output && isPicture(output) ? otherToolsFor(page.facts.id) : []
  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <div className="flex min-w-0 flex-1 gap-px">
          <Button
            size="lg"
            className={`min-w-0 flex-1 ${format ? 'rounded-e-none' : ''}`}
            busy={save.isPending}
            icon={<Download aria-hidden className="size-5" />}
            onClick={() => save.mutate(format)}
          >
            {t`Unduh ${name}`}
          </Button>
          {format && (
            <Button
              size="lg"
              className="rounded-s-none px-3.5"
              aria-label={t`Unduh dalam format lain`}
              aria-haspopup="dialog"
              onClick={() => setSheet('format')}
            >
              <ChevronDown aria-hidden className="size-5" />
            </Button>
          )}
        </div>
        {canShareFiles() && (
          <Button
            size="lg"
            variant="soft"
            className="px-3.5"
            aria-label={t`Bagikan`}
            busy={share.isPending}
            onClick={() => share.mutate()}
            icon={<Share2 aria-hidden className="size-5" />}
          />
        )}
        <Button
          size="lg"
          variant="ghost"
          className="px-3.5"
          aria-label={t`Hapus hasil ini`}
          onClick={() => setSheet('delete')}
        >
          <Trash2 aria-hidden className="size-5" />
        </Button>
      </div>
      {(outputs.length > 1 || tools.length > 0) && (
        <div className="grid auto-cols-fr grid-flow-col gap-2">
          {outputs.length > 1 && (
            <Button
              variant="soft"
              busy={all.isPending}
              icon={<Archive aria-hidden className="size-5" />}
              onClick={() => all.mutate()}
            >
              {t`Unduh semua (ZIP)`}
            </Button>
          )}
          {tools.length > 0 && (
            <Button
              variant="ghost"
              aria-haspopup="dialog"
              icon={<Forward aria-hidden className="size-5" />}
              onClick={() => setSheet('tool')}
            >
              {t`Pakai di alat lain`}
            </Button>
          )}
        </div>
      )}
      <p className="text-center text-muted text-xs">
        {page.facts.renderParams.length > 0
          ? t`Mengubah hasil gratis. Disimpan sampai ${until}.`
          : t`Disimpan sampai ${until}.`}
      </p>
      <Claim generation={generation} />

      {format && (
        <FormatSheet
          open={sheet === 'format'}
          current={format}
          bytes={output?.bytes}
          onClose={() => setSheet(null)}
          onChoose={(choice) => {
            setSheet(null)
            save.mutate(choice)
          }}
        />
      )}
      {output && (
        <UseInToolSheet open={sheet === 'tool'} tools={tools} output={output} onClose={() => setSheet(null)} />
      )}
      <DeleteDialog
        generation={sheet === 'delete' ? generation : null}
        client={client}
        onClose={() => setSheet(null)}
        onDeleted={onDeleted}
      />
    </div>
  )
}
