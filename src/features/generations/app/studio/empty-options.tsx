import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { isAuthenticatedAtom } from '#client/session.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { hasPreview } from '../../rules.ts'
import { Options } from './options.tsx'
import { StartButton } from './start-button.tsx'
import type { StudioProps } from './use-studio.ts'

/** On wide screens options can be looked at before there is a picture. */
export function EmptyOptions({ onTopUp, ...studio }: StudioProps & { onTopUp: () => void }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)
  return (
    <div className="card flex flex-col gap-5 p-6 max-lg:hidden">
      <Options {...studio} stage={null} />
      <StartButton
        {...studio}
        check={null}
        problems={[]}
        actions={{
          ...{ busy: false, start: askForPicture, signUp: askForPicture, change: askForPicture, topUp: onTopUp },
          preview: !signedIn && hasPreview(studio.page.definition) ? askForPicture : null,
        }}
      />
    </div>
  )
}
