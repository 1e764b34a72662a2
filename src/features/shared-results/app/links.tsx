import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ClipboardCopy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { apiFetch, apiJson } from '#client/api.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { PasswordField } from '#ui/field.tsx'
import { copyText, useAction } from '#ui/use-action.ts'
import { linkPasswordMax } from '../rules.ts'
import type { SharedLink, SharedResult, ShareInput } from '../schemas.ts'

export const sharedLinksQuery = queryOptions({
  queryKey: ['shared-links'],
  queryFn: async ({ signal }) => (await apiJson<{ items: SharedLink[] }>('/api/user/shared_results', { signal })).items,
  // The data contains the number of visits, which changes at any time.
  staleTime: 0,
})

export async function makeLink(client: QueryClient, given: ShareInput): Promise<SharedLink> {
  const link = await apiJson<SharedLink>('/api/user/shared_results', { json: given })
  await client.invalidateQueries({ queryKey: sharedLinksQuery.queryKey })
  return link
}

/** Asks before it revokes. */
export function RevokeSheet({
  id,
  onClose,
  onRevoked = onClose,
}: {
  id: string
  onClose: () => void
  onRevoked?: () => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const revoke = useAction(async () => {
    await apiFetch(`/api/user/shared_results/${id}`, { method: 'DELETE' })
    onRevoked()
    await client.invalidateQueries({ queryKey: sharedLinksQuery.queryKey })
  }, t`Tautan dicabut`)
  return (
    <BottomSheet open onClose={onClose} title={t`Cabut tautan ini?`}>
      <p className="leading-relaxed">
        {t`Yang sudah menerima tautannya tidak bisa melihat hasil ini lagi. Hasilnya sendiri tetap ada di akunmu.`}
      </p>
      <div className="mt-5 grid gap-2.5">
        <Button size="lg" variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {t`Cabut tautan`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>{t`Batal`}</Button>
      </div>
    </BottomSheet>
  )
}

/** The error tells if the link needs a password or has ended. */
export const openLink = (token: string, password: string | null) =>
  apiJson<SharedResult>(`/api/shared_results/${encodeURIComponent(token)}/open`, { json: { password } })

/** Includes the sender's language. */
export const addressOf = ({ path }: Pick<SharedLink, 'path'>) =>
  `${window.location.origin}${path}${i18n.locale === 'en' ? '?lang=en' : ''}`

/** Password managers must not store it for the account. */
export function LinkPasswordField(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  const { t } = useLingui()
  return <PasswordField label={t`Kata sandi tautan`} autoComplete="off" maxLength={linkPasswordMax} {...field} />
}

export function CopyLink({ address, name, onFailed }: { address: string; name?: string; onFailed?: () => void }) {
  const { t } = useLingui()
  const copy = async () => {
    const selected = matchMedia('(pointer: coarse)').matches
      ? t`Tautannya sudah ditandai. Tekan lama, lalu pilih Salin.`
      : t`Tautannya sudah ditandai. Tekan Ctrl + C, atau ⌘ C di Mac.`
    const failed = onFailed ? selected : t`Tautan belum bisa disalin. Buka hasilnya, lalu salin dari sana.`
    if (!(await copyText(address, { done: t`Tautan disalin`, failed }))) onFailed?.()
  }
  if (name !== undefined)
    return <IconButton icon={ClipboardCopy} label={t`Salin tautan ${name}`} onClick={() => void copy()} />
  return (
    <Button size="lg" icon={ClipboardCopy} onClick={() => void copy()}>
      {t`Salin tautan`}
    </Button>
  )
}
