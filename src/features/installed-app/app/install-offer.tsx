import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { installSheetAtom } from './install.ts'

const InstallSheet = lazy(async () => ({ default: (await import('./install-sheet.tsx')).InstallSheet }))

/** The place of the install sheet; its code comes when it is shown. */
export function InstallOffer() {
  const wanted = useAtomValue(installSheetAtom)
  return wanted ? (
    <Suspense>
      <InstallSheet />
    </Suspense>
  ) : null
}
