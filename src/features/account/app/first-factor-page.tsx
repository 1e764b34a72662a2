import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { errorText } from '#client/api.ts'
import { LinkButton } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { openFirstFactorLink } from './profile-api.ts'

export function FirstFactorPage() {
  const { t } = useLingui()
  const { token = '' } = useParams<{ token: string }>()
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    openFirstFactorLink(token).then(() => navigate('/profile?enrol=1', { replace: true }), setFailure)
  }, [token, navigate])
  if (failure === null) return <ScreenSpinner />
  return (
    <div className="page">
      <PageHeader title={t`Belum berhasil`} />
      <p role="alert" className="mb-6 leading-relaxed">
        {errorText(failure)}
      </p>
      <LinkButton to="/profile">{t`Ke halaman akun`}</LinkButton>
    </div>
  )
}
