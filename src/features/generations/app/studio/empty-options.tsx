import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { isAuthenticatedAtom } from '#client/session.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { hasPreview } from '../../rules.ts'
import { Options } from './options.tsx'
import { StartButton } from './start-button.tsx'
import type { StudioProps } from './use-studio.ts'

export function EmptyOptions({ onTopUp, ...studio }: StudioProps & { onTopUp: () => void }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)
  return (
    <div className="card flex min-h-0 flex-col max-lg:hidden">
      <div className="studio-options flex min-h-0 flex-1 flex-col overflow-y-auto overflow-x-hidden lg:px-6 lg:py-5">
        <Options {...studio} stage={null} />
      </div>
      <div className="grid gap-1.5 lg:border-line/60 lg:border-t lg:px-6 lg:pt-3 lg:pb-5">
        <StartButton
          {...studio}
          check={null}
          problems={[]}
          onShow={() => undefined}
          actions={{
            busy: false,
            start: askForPicture,
            signUp: askForPicture,
            change: askForPicture,
            topUp: onTopUp,
            preview: !signedIn && hasPreview(studio.page.definition) ? askForPicture : null,
          }}
        />
      </div>
    </div>
  )
}
