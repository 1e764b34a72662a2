import { useLingui } from '@lingui/react/macro'
import { useListParams } from '#ui/lists/list-params.ts'
import { LinkTabs } from '#ui/lists/tabs.tsx'

export function LanguageTabs() {
  const { t } = useLingui()
  const { tab } = useListParams().params
  const path = '/admin/pengumuman'
  return (
    <LinkTabs
      label={t`Yang dibaca pengguna`}
      current={tab === 'mails' ? 'mails' : 'announcements'}
      tabs={[
        { id: 'announcements', name: t`Di aplikasi`, to: path },
        { id: 'mails', name: t`Email`, to: `${path}?tab=mails` },
      ]}
    />
  )
}
