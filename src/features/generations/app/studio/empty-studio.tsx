import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { isAuthenticatedAtom } from '#client/session.ts'
import { ToolPicture } from '#tools/ui/tool-picture.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { hasPreview } from '../../rules.ts'
import { DropZone } from './drop-zone.tsx'
import { acceptedTypes, takesSeveral, takesVideo } from './inputs.ts'
import { Options } from './options.tsx'
import { ReplacedNotice } from './replaced-notice.tsx'
import { StartButton } from './start-button.tsx'
import type { StudioProps } from './use-studio.ts'

/** A tool before there is a picture; on a wide screen its options can already be looked at. */
export function EmptyStudio({
  page,
  state,
  over,
  dispatch,
  onFiles,
  onTopUp,
}: StudioProps & {
  over: boolean
  onFiles: (files: File[]) => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)
  return (
    <div className="on-side:grid on-side:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] on-side:items-start on-side:gap-6 on-side:pt-4 on-side:[&>header]:py-0">
      <PageHeader title={i18n._(page.definition.label)}>{i18n._(page.labels.intro)}</PageHeader>
      {state.replaced && (
        <div className="mb-4">
          <ReplacedNotice {...{ page, state, dispatch }} />
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_25rem] on-side:grid-cols-1">
        <DropZone
          picture={
            <ToolPicture
              tool={{ id: page.definition.id, icon: page.icon, showcase: page.showcase }}
              className="w-48 max-w-full rounded-2xl shadow-card md:w-72 on-side:row-span-2 on-side:w-full"
            />
          }
          over={over}
          accept={acceptedTypes(page)}
          multiple={takesSeveral(page.definition)}
          video={takesVideo(page.definition)}
          examples={hasPreview(page.definition) && page.examples !== false}
          onFiles={onFiles}
          onSampleFailed={() => showSnackbar('error', t`Contoh belum bisa dibuka. Periksa internetmu, ya.`)}
        />
        <div className="card flex flex-col gap-5 p-6 max-lg:hidden">
          <Options {...{ page, state, dispatch }} stage={null} />
          <StartButton
            {...{ page, state, check: null, problems: [] }}
            actions={{
              ...{ busy: false, start: askForPicture, signUp: askForPicture, topUp: onTopUp },
              preview: !signedIn && hasPreview(page.definition) ? askForPicture : null,
            }}
          />
        </div>
      </div>
    </div>
  )
}
