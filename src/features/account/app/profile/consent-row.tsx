import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '#client/format.ts'
import { useAction } from '#ui/use-action.ts'
import { consentsQuery, givenConsent, withdrawConsent } from '../consent/consent.ts'
import { Row } from './card.tsx'

/** What the person agreed to for tools that work on faces, and the way back. */
export function ConsentRow() {
  const { t } = useLingui()
  const { data: consents } = useQuery(consentsQuery)
  const withdraw = useAction(() => withdrawConsent('biometric'), t`Persetujuan sudah ditarik`)
  const given = consents && givenConsent(consents, 'biometric')
  const when = given && formatDateTime(given.givenAt)
  return (
    <Row
      name={t`Persetujuan wajah`}
      button={given && { busy: withdraw.isPending, onClick: () => withdraw.mutate(), children: t`Tarik persetujuan` }}
    >
      {/* The row keeps its place while it loads, so that what is below it does not move under a finger. */}
      {!consents
        ? '\u00a0'
        : given
          ? t`Diberikan ${when}, teks versi ${given.version}. Kalau ditarik, alat wajah menanyakannya lagi.`
          : t`Belum diberikan. Alat yang mengolah wajah menanyakannya sebelum mulai.`}
    </Row>
  )
}
