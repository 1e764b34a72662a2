import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { errorText } from '#client/errors.ts'
import { formatDateTime } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { consentsQuery, givenConsent, withdrawConsent } from '../consent/consent.ts'
import { Row } from './card.tsx'

/** What the person agreed to for tools that work on faces, and the way back. */
export function ConsentRow() {
  const { t } = useLingui()
  const { data: consents } = useQuery(consentsQuery)
  const withdraw = useMutation({
    mutationFn: () => withdrawConsent('biometric'),
    onSuccess: () => showSnackbar('success', t`Persetujuan sudah ditarik`),
    onError: (error) => showSnackbar('error', errorText(error)),
  })
  const given = consents && givenConsent(consents, 'biometric')
  const when = given && formatDateTime(given.givenAt)
  return (
    <Row
      name={t`Persetujuan wajah`}
      action={
        given && (
          <Button variant="outline" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t`Tarik persetujuan`}
          </Button>
        )
      }
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
