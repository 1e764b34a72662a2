import { useLingui } from '@lingui/react/macro'
import { ClipboardCopy } from 'lucide-react'
import { copyText } from '#ui/actions.ts'
import { Button, IconButton } from '#ui/button.tsx'

export function CopyLink({ address, name }: { address: string; name?: string }) {
  const { t } = useLingui()
  const said = { done: t`Tautan disalin`, failed: t`Tautan belum bisa disalin` }
  const copy = () => void copyText(address, said)
  if (name !== undefined) return <IconButton icon={ClipboardCopy} label={t`Salin tautan ${name}`} onClick={copy} />
  return (
    <Button size="lg" icon={ClipboardCopy} onClick={copy}>
      {t`Salin tautan`}
    </Button>
  )
}
