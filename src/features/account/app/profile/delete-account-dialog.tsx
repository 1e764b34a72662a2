import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { errorText } from '#client/errors.ts'
import { signOut } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { deleteAccount } from '../profile-api.ts'
import { ProofFields } from './proof-fields.tsx'
import { useProof } from './use-proof.ts'

function DeleteForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const proof = useProof('delete')
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const shown = busy ? null : proof.demand()
    if (!shown) return
    setBusy(true)
    try {
      await deleteAccount(shown)
    } catch (error) {
      setBusy(false)
      if (!proof.refused(error)) proof.setProblem(errorText(error))
      return
    }
    await signOut()
    navigate('/', { replace: true })
    showSnackbar('success', t`Akunmu sudah dihapus`)
  }

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
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
      <ProofFields purpose="delete" proof={proof.proof} error={proof.problem} onProof={proof.show} />
      <div className="grid gap-2.5">
        <Button type="submit" size="lg" variant="danger" busy={busy}>
          {t`Hapus akunku selamanya`}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>
          {t`Jangan hapus`}
        </Button>
      </div>
    </form>
  )
}

/** Says exactly what goes and what stays, and wants to know that it is the person who asks. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <BottomSheet open={open} onClose={onClose} title={t`Hapus akun?`}>
      <DeleteForm onClose={onClose} />
    </BottomSheet>
  )
}
