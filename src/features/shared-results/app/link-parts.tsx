import { useLingui } from '@lingui/react/macro'
import { ClipboardCopy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button, IconButton } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { PasswordField } from '#ui/field.tsx'
import { linkPasswordMax } from '../rules.ts'

/** Password managers must not store it for the account. */
export function LinkPasswordField(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  const { t } = useLingui()
  return <PasswordField label={t`Kata sandi tautan`} autoComplete="off" maxLength={linkPasswordMax} {...field} />
}

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
