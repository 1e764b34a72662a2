import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ClipboardCopy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { apiFetch, apiJson } from '#client/api.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { PasswordField } from '#ui/field.tsx'
import { copyText } from '#ui/use-action.ts'
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

export async function revokeLink(client: QueryClient, id: string): Promise<void> {
  await apiFetch(`/api/user/shared_results/${id}`, { method: 'DELETE' })
  await client.invalidateQueries({ queryKey: sharedLinksQuery.queryKey })
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
  const messages = {
    done: t`Tautan disalin`,
    failed: onFailed
      ? t`Tautannya sudah ditandai. Tekan lama, lalu pilih Salin.`
      : t`Tautan belum bisa disalin. Buka hasilnya, lalu salin dari sana.`,
  }
  const copy = async () => {
    if (!(await copyText(address, messages))) onFailed?.()
  }
  if (name !== undefined)
    return <IconButton icon={ClipboardCopy} label={t`Salin tautan ${name}`} onClick={() => void copy()} />
  return (
    <Button size="lg" icon={ClipboardCopy} onClick={() => void copy()}>
      {t`Salin tautan`}
    </Button>
  )
}
