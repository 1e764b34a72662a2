import { useMutation } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { ApiError, apiFetch } from '#client/api.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { OfflineNote } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'

/** Requires a press of a button, since mail programs open links too. */
export function KeepFactorsPage() {
  const { token = '' } = useParams<{ token: string }>()
  const keep = useMutation({ mutationFn: () => apiFetch('/api/keep_factors', { json: { token } }) })
  if (keep.isSuccess) {
    return (
      <AuthLayout
        title="Tidak ada yang dihapus"
        lead="Langkah keduamu tetap ada. Kalau bukan kamu yang meminta penghapusan, buat kata sandi baru sekarang."
      >
        <LinkButton to="/forgot-password" size="lg">
          Buat kata sandi baru
        </LinkButton>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Batalkan penghapusan?"
      lead="Seseorang meminta langkah kedua akunmu dihapus. Kalau itu bukan kamu, batalkan di sini."
    >
      <OfflineNote error={keep.error} />
      {keep.error instanceof ApiError && (
        <p role="alert" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          {keep.error.code === 'auth.token_invalid' ? 'Tautan ini tidak berlaku lagi.' : keep.error.msg}
        </p>
      )}
      <Button size="lg" busy={keep.isPending} onClick={() => keep.mutate()}>
        Batalkan penghapusan
      </Button>
    </AuthLayout>
  )
}
