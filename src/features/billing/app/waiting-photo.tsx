import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { draftedTool } from '#features/generations/app/generations.ts'
import { useUploads } from '#features/uploads/app/uploads.ts'
import { LinkButton } from '#ui/button.tsx'

/**
 * Leads whoever bought credits in the middle of an edit back to it; null where no picture waits.
 */
export function useWaitingPhoto(): { to: string } | null {
  const [drafted, setDrafted] = useState<string | null>(null)
  useEffect(() => {
    void draftedTool().then(setDrafted)
  }, [])
  const short = useUploads().find(({ state }) => state === 'credits')
  const route = drafted === null ? undefined : toolRoutes[drafted]
  if (route) return { to: route }
  return short ? { to: '/history' } : null
}

export function BackToPhoto({ to }: { to: string }) {
  const { t } = useLingui()
  return (
    <LinkButton to={to} size="lg">
      {t`Lanjutkan fotomu`}
    </LinkButton>
  )
}
