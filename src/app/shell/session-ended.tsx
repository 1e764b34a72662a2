import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { LinkButton } from '#ui/button.tsx'

export function SessionEnded() {
  const { t } = useLingui()
  const [path] = useLocation()
  return (
    <div role="status" className="page py-2">
      <div className="card flex-row flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <p className="min-w-48 flex-1 text-sm leading-relaxed">
          <strong className="block text-base">{t`Sesimu sudah berakhir`}</strong>
          {t`Masuk lagi untuk melanjutkan. Foto dan unggahan yang menunggu tetap tersimpan di sini.`}
        </p>
        <LinkButton to="/login" state={{ from: path }}>
          {t`Masuk lagi`}
        </LinkButton>
      </div>
    </div>
  )
}
