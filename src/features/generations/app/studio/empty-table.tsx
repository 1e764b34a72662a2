import { useLingui } from '@lingui/react/macro'
import { showSnackbar } from '#app/snackbar.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { AnyToolPanel } from '#tools/panel.ts'
import type { Desk, DeskChange } from './desk.ts'
import { DropZone } from './drop-zone.tsx'
import { Options } from './options.tsx'
import { StartButton } from './start-button.tsx'

/** A tool before there is a picture; on a wide screen its options can already be looked at. */
export function EmptyTable({
  panel,
  desk,
  over,
  picker,
  onChange,
  onFiles,
  onTopUp,
}: {
  panel: AnyToolPanel
  desk: Desk
  over: boolean
  /** Id of the file input. */
  picker: string
  onChange: (change: DeskChange) => void
  onFiles: (files: File[]) => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)
  return (
    <div>
      <PageHeader title={i18n._(panel.facts.label)}>{i18n._(panel.words.tagline)}</PageHeader>
      <div className="worktable min-h-0">
        <DropZone
          over={over}
          inputId={picker}
          onFiles={onFiles}
          onSampleFailed={() => showSnackbar('error', t`Contoh belum bisa dibuka. Periksa internetmu, ya.`)}
        />
        <div className="worktable-sheet flex flex-col gap-3 max-lg:hidden lg:gap-5">
          <Options panel={panel} desk={desk} onChange={onChange} area={null} />
          <StartButton
            panel={panel}
            params={desk.params}
            count={1}
            busy={false}
            onStart={askForPicture}
            onSignUp={askForPicture}
            onTopUp={onTopUp}
          />
        </div>
      </div>
    </div>
  )
}
