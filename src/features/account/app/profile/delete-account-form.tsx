import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { signOut } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { ReauthenticationFields } from '../reauthentication/reauthentication-fields.tsx'
import { useReauthentication } from '../reauthentication/use-reauthentication.ts'

/** Says exactly what goes and what stays, and wants to know that it is the person who asks. */
export function DeleteAccountForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const form = useReauthentication({
    purpose: 'delete',
    send: async (credential) => {
      await apiFetch('/api/user/delete', { json: credential })
      await signOut()
      navigate('/', { replace: true })
      showSnackbar('success', t`Akunmu sudah dihapus`)
    },
  })
  return (
    <Form form={form}>
      <div className="grid gap-3 leading-relaxed">
        <p className="font-semibold">
          <Trans>Ini terjadi seketika dan tidak bisa dibatalkan:</Trans>
        </p>
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>
            <Trans>Semua foto dan hasilmu dihapus, juga unggahan yang masih menunggu di perangkat ini.</Trans>
          </li>
          <li>
            <Trans>Nama, email, dan persetujuanmu dihapus, dan kamu keluar di semua perangkat.</Trans>
          </li>
          <li>
            <Trans>Sisa kredit dan paketmu hangus.</Trans>
          </li>
          <li>
            <Trans>Catatan pembayaran dan kredit tetap ada, tanpa namamu, karena wajib kami simpan.</Trans>
          </li>
        </ul>
        <p className="text-muted">
          <Trans>Mau menyimpan salinannya? Unduh datamu dulu sebelum menghapus.</Trans>
        </p>
      </div>
      <ReauthenticationFields form={form} />
      <FormProblem>{form.problem}</FormProblem>
      <div className="grid gap-2.5">
        <Button type="submit" size="lg" variant="danger" busy={form.busy}>
          {t`Hapus akunku selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </Form>
  )
}
