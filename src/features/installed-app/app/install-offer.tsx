import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { installSheetAtom } from './install.ts'

const InstallSheet = lazyComponent(() => import('./install-sheet.tsx'), 'InstallSheet')

/** The place of the install sheet; its code comes when it is shown. */
export function InstallOffer() {
  const wanted = useAtomValue(installSheetAtom)
  return wanted ? (
    <Suspense>
      <InstallSheet />
    </Suspense>
  ) : null
}
