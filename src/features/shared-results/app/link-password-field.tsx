import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { PasswordField } from '#ui/field.tsx'
import { linkPasswordMax } from '../rules.ts'

/** Password managers must not store it for the account. */
export function LinkPasswordField(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  const { t } = useLingui()
  return <PasswordField label={t`Kata sandi tautan`} autoComplete="off" maxLength={linkPasswordMax} {...field} />
}
