import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import type { FileView } from '../../schemas.ts'
import { pictureBlob } from './save-picture.ts'

/** If loading outlasts the browser's user activation, the files are ready for a second tap. */
export function useShare(wanted: () => Promise<readonly FileView[]>) {
  const { t } = useLingui()
  const loaded = useRef<{ ids: string; files: File[] } | null>(null)
  return useAction(async () => {
    const views = await wanted()
    const ids = views.map(({ id }) => id).join()
    if (loaded.current?.ids !== ids) {
      const load = async (view: FileView) => new File([await pictureBlob(view)], view.name, { type: view.contentType })
      loaded.current = { ids, files: await Promise.all(views.map(load)) }
    }
    try {
      await navigator.share({ files: loaded.current.files })
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      if (error.name === 'NotAllowedError') showSnackbar('success', t`Siap dibagikan. Ketuk sekali lagi.`)
      // The user closed the sheet.
      else if (error.name !== 'AbortError') throw error
    }
  })
}
