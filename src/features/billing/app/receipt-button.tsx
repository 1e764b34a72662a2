import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { saveReceipt } from './api.ts'

export function ReceiptButton({ id, number }: { id: string; number: string }) {
  const { t } = useLingui()
  const save = useMutation({
    mutationFn: () => saveReceipt(id, number),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  return (
    <Button
      variant="soft"
      busy={save.isPending}
      icon={<Download aria-hidden className="size-4" />}
      aria-label={t`Unduh kuitansi ${number}`}
      onClick={() => save.mutate()}
    >
      {t`Unduh kuitansi`}
    </Button>
  )
}
