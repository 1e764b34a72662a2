import { useLingui } from '@lingui/react/macro'
import type { ToolView } from '#tools/contract/schemas.ts'

export function ToolOff({ message }: Pick<ToolView, 'message'>) {
  const { t, i18n } = useLingui()
  return (
    <p role="status" className="rounded-box bg-soft p-5 text-on-soft leading-relaxed">
      {message?.[i18n.locale === 'en' ? 'en' : 'id'] || t`Alat ini sedang dirawat. Coba lagi nanti, ya.`}
    </p>
  )
}
