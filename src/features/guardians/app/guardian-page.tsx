import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import { ApiError, apiFetch, apiJson, errorText } from '#client/api.ts'
import { formatDate, formatDateTime } from '#client/format.ts'
import { failureOf, queryClient, siteQuery } from '#client/query.ts'
import { brandName } from '#shared/brand.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { CheckboxField } from '#ui/field.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GuardianDecision } from '../rules.ts'
import type { GuardianLink } from '../schemas.ts'

const linkPath = (token: string) => `/api/guardian_consents/${encodeURIComponent(token)}`
const linkKey = (token: string) => ['guardian', token]

/** Decides only by a press of a button, since mail programs open links too. */
export function GuardianPage() {
  const { t } = useLingui()
  const { token = '' } = useParams()
  const query = useQuery({
    queryKey: linkKey(token),
    queryFn: ({ signal }) => apiJson<GuardianLink>(linkPath(token), { signal }),
    staleTime: 0,
    retry: false,
  })
  const link = query.data
  if (link) return <States link={link} token={token} />
  const failure = failureOf(query)
  if (failure instanceof ApiError && failure.code === 'auth.token_invalid') {
    return (
      <EmptyState heading="h1" title={t`Tautan ini tidak berlaku lagi`}>
        {t`Mungkin kamu sudah memutuskan, alamatnya diganti, atau akunnya sudah ditutup. Kalau masih ada permintaan, email terbaru dari kami memuat tautan yang berlaku.`}
      </EmptyState>
    )
  }
  if (failure) {
    return (
      <EmptyState
        heading="h1"
        title={t`Halaman ini belum bisa dibuka`}
        action={<Button onClick={() => void query.refetch()}>{t`Coba lagi`}</Button>}
      >
        {errorText(failure)}
      </EmptyState>
    )
  }
  return (
    <div className="page grid max-w-2xl gap-4 pt-8 pb-16">
      <Skeleton className="h-12" />
      <Skeleton className="h-80" />
    </div>
  )
}

function States({ link, token }: { link: GuardianLink; token: string }) {
  const { t } = useLingui()
  const { name } = link
  if (link.state === 'closed') {
    return (
      <EmptyState heading="h1" title={t`Akunnya sudah ditutup`}>
        {t`Semua gambar, nama, dan alamat emailnya dihapus, termasuk alamatmu. Tidak ada lagi yang perlu kamu lakukan.`}
      </EmptyState>
    )
  }
  if (link.state === 'not_needed') {
    return (
      <EmptyState heading="h1" title={t`Izinmu tidak diperlukan lagi`}>
        {t`${name} sudah dewasa menurut tahun lahirnya.`}
      </EmptyState>
    )
  }
  return link.state === 'given' ? <Given link={link} token={token} /> : <Open link={link} token={token} />
}

function useDecision(token: string, version: string) {
  return useMutation({
    mutationFn: (decision: GuardianDecision) => apiJson<GuardianLink>(linkPath(token), { json: { decision, version } }),
    onSuccess: (link) => queryClient.setQueryData(linkKey(token), link),
    // Another press, or the other decision, was first.
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'auth.token_invalid')
        void queryClient.resetQueries({ queryKey: linkKey(token) })
    },
  })
}

function Open({ link, token }: { link: GuardianLink; token: string }) {
  const { t } = useLingui()
  const { name, email, birthYear, adultAge, version } = link
  const decision = useDecision(token, version)
  const [isGuardian, setGuardian] = useState(false)
  const [missing, setMissing] = useState(false)
  const [refusing, setRefusing] = useState(false)
  const consent = () => {
    setMissing(!isGuardian)
    if (isGuardian) decision.mutate('consent')
  }
  const year = birthYear ?? ''
  const closing = link.closesAt === null ? '' : formatDate(link.closesAt)
  return (
    <div className="page max-w-2xl pb-16">
      <PageHeader title={t`Izinkan ${name} memakai ${brandName}?`}>
        {t`${name} (${email}, lahir ${year}) menulis alamatmu sebagai orang tua atau walinya.`}
      </PageHeader>
      <div className="card grid gap-6 p-5 md:p-8">
        <Facts adultAge={adultAge} />
        <CheckboxField
          label={t`Saya orang tua atau wali ${name}, dan saya sudah dewasa.`}
          checked={isGuardian}
          onChange={(event) => {
            setGuardian(event.target.checked)
            setMissing(false)
          }}
          error={missing ? t`Centang ini dulu untuk memberi izin` : undefined}
        />
        {decision.isError && (
          <p role="alert" className="font-medium text-error text-sm">
            {errorText(decision.error)}
          </p>
        )}
        <div className="grid gap-2.5">
          <Button size="lg" busy={decision.isPending} onClick={consent}>{t`Saya mengizinkan`}</Button>
          <Button size="lg" variant="outline" onClick={() => setRefusing(true)}>{t`Saya menolak`}</Button>
        </div>
        <p className="text-muted text-sm leading-relaxed">
          {closing && t`Tanpa jawaban, akun ini ditutup pada ${closing}.`}{' '}
          <Trans>Kami mencatat waktu, versi teks ini ({version}), dan alamat jaringanmu sebagai bukti izin.</Trans>
        </p>
      </div>
      {refusing && (
        <Confirm
          title={t`Tolak dan hapus akunnya?`}
          action={t`Tolak dan hapus`}
          decision={decision}
          choice="refuse"
          onClose={() => setRefusing(false)}
        >
          {t`Akun ${email} langsung ditutup, dan semua datanya dihapus. Ini tidak bisa dibatalkan.`}
        </Confirm>
      )}
    </div>
  )
}

function Facts({ adultAge }: { adultAge: number }) {
  const { t } = useLingui()
  const { data: site } = useQuery(siteQuery)
  const days = (kind: 'inputs' | 'results') => site?.retention.find((entry) => entry.kind === kind)?.days ?? 30
  const [inputs, results] = [days('inputs'), days('results')]
  const parts: [string, string[]][] = [
    [
      t`Yang dilakukan ${brandName}`,
      [
        t`Mengedit foto dan video dengan AI: menghapus latar, membuat pasfoto, memperjelas foto lama, dan lainnya.`,
        t`Ada kredit gratis di awal. Kredit tambahan dibeli lewat QRIS, dompet digital, atau bank.`,
      ],
    ],
    [
      t`Yang kami simpan`,
      [
        t`Nama, email, dan tahun lahirnya, serta alamat emailmu.`,
        t`Foto asli ${inputs} hari dan hasilnya ${results} hari. Ia bisa menghapusnya lebih awal.`,
        t`Catatan kredit dan pesanan. Tidak ada yang dijual atau dipakai untuk melatih AI.`,
      ],
    ],
    [
      t`Yang tetap tidak boleh`,
      [t`Menukar wajah, dan mengedit wajah orang lain dengan bebas: itu baru boleh setelah usia ${adultAge} tahun.`],
    ],
    [
      t`Hakmu`,
      [
        t`Mencabut izin kapan saja lewat tautan di email. Akunnya lalu ditutup dan semua datanya dihapus.`,
        t`Bertanya kepada petugas pelindungan data kami. Alamatnya ada di halaman kebijakan privasi.`,
      ],
    ],
  ]
  return (
    <div className="grid gap-5">
      {parts.map(([title, lines]) => (
        <section key={title} className="grid gap-1.5">
          <h2 className="font-bold text-lg">{title}</h2>
          <ul className="grid list-disc gap-1.5 pl-5 leading-relaxed">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
      <p>
        <Link to="/privacy-policy" className="font-semibold text-primary-ink underline underline-offset-2">
          {t`Baca kebijakan privasi`}
        </Link>
      </p>
    </div>
  )
}

function Given({ link, token }: { link: GuardianLink; token: string }) {
  const { t } = useLingui()
  const { name, email, version, mayRevoke } = link
  const decision = useDecision(token, version)
  const [revoking, setRevoking] = useState(false)
  const resend = useAction(async () => {
    await apiFetch(`${linkPath(token)}/resend`, { json: {} })
  }, t`Email dengan tautan pencabutan sudah dikirim`)
  const given = link.givenAt === null ? '' : formatDateTime(link.givenAt)
  return (
    <div className="page max-w-2xl pb-16">
      <PageHeader title={t`Kamu mengizinkan ${name}`}>
        {t`Izin untuk akun ${email} tercatat pada ${given}. Terima kasih!`}
      </PageHeader>
      <div className="card grid gap-4 p-5 md:p-8">
        <p className="leading-relaxed">
          {t`Izinmu berlaku sampai ${name} dewasa. Kamu bisa mencabutnya kapan saja; akunnya lalu ditutup dan semua datanya dihapus.`}
        </p>
        {mayRevoke ? (
          <Button size="lg" variant="outline" onClick={() => setRevoking(true)}>{t`Cabut izin`}</Button>
        ) : (
          <>
            <p className="text-muted leading-relaxed">{t`Tautan untuk mencabutnya ada di email konfirmasi dari kami.`}</p>
            <Button variant="outline" busy={resend.isPending} onClick={() => resend.mutate()}>
              {t`Kirim lagi tautan pencabutan`}
            </Button>
          </>
        )}
        <LinkButton variant="ghost" to="/">{t`Lihat ${brandName}`}</LinkButton>
      </div>
      {revoking && (
        <Confirm
          title={t`Cabut izin dan hapus akunnya?`}
          action={t`Cabut dan hapus`}
          decision={decision}
          choice="revoke"
          onClose={() => setRevoking(false)}
        >
          {t`Akun ${email} langsung ditutup. Semua gambar dan kreditnya dihapus. Ini tidak bisa dibatalkan.`}
        </Confirm>
      )}
    </div>
  )
}

function Confirm({
  title,
  action,
  decision,
  choice,
  onClose,
  children,
}: {
  title: string
  action: string
  decision: ReturnType<typeof useDecision>
  choice: GuardianDecision
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <BottomSheet open onClose={onClose} title={title}>
      <p className="leading-relaxed">{children}</p>
      {decision.isError && (
        <p role="alert" className="mt-4 font-medium text-error text-sm">
          {errorText(decision.error)}
        </p>
      )}
      <div className="mt-5 grid gap-2.5">
        <Button size="lg" variant="danger" busy={decision.isPending} onClick={() => decision.mutate(choice)}>
          {action}
        </Button>
        <Button size="lg" variant="ghost" onClick={onClose}>{t`Batal`}</Button>
      </div>
    </BottomSheet>
  )
}
