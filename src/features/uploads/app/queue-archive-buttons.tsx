import { t as now } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Archive, FolderOpen } from 'lucide-react'
import { errorText } from '#client/api.ts'
import { Button } from '#ui/button.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'

export function SaveQueueButton() {
  const { t } = useLingui()
  const save = useAction(async () => (await import('./queue-archive.ts')).saveQueue())
  return (
    <Button variant="ghost" icon={Archive} busy={save.isPending} onClick={() => save.mutate()}>
      {t`Simpan semuanya sebagai ZIP`}
    </Button>
  )
}

async function open([zip]: File[]): Promise<void> {
  if (!zip) return
  try {
    const count = await (await import('./queue-archive.ts')).openQueue(zip)
    if (count === null) showSnackbar('error', now`Berkas ini bukan ZIP unggahan dari Rupa.`)
    else showSnackbar('success', now`${count} unggahan ditambahkan di perangkat ini`)
  } catch (error) {
    showSnackbar('error', errorText(error))
  }
}

/** Continues uploads that another device or browser has saved. */
export function OpenQueueButton() {
  const { t } = useLingui()
  return (
    <FileButton variant="ghost" icon={FolderOpen} accept=".zip,application/zip" onFiles={open}>
      {t`Buka ZIP unggahan`}
    </FileButton>
  )
}
