import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '#client/format.ts'
import { apiKeyRate, testResultMaxPixels } from '#shared/api-key.ts'
import { publicUrlPlaceholder } from '#shared/brand.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { copyText } from '#ui/use-action.ts'
import { Footer } from '../footer.tsx'
import {
  assistantSettings,
  firstCutOut,
  fromAddress,
  likeRemoveBg,
  type SampleLanguage,
  sampleLanguages,
  typedClient,
  webhookReceiver,
} from './code-samples.ts'

/** The server puts its own address into prerendered pages. */
const originOf = () => (import.meta.env.SSR ? publicUrlPlaceholder : location.origin)

export function DevelopersPage() {
  const { t } = useLingui()
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const origin = originOf()
  const choices = Object.fromEntries(sampleLanguages.map((name) => [name, name])) as Record<SampleLanguage, string>
  const calls = formatNumber(apiKeyRate.limit)
  const pixels = formatNumber(testResultMaxPixels / 1_000_000)
  return (
    <>
      <div className="page">
        <PageHeader title={t`API untuk pengembang`}>
          {t`Semua alat Rupa dari programmu sendiri, dengan kredit yang sama seperti di aplikasi.`}
        </PageHeader>
        <div className="wrap-anywhere grid max-w-3xl grid-cols-1 gap-12 py-4">
          <Section title={t`Dari kunci ke potongan pertama dalam lima menit`}>
            <ol className="grid list-decimal gap-2 pl-5 leading-relaxed">
              <li>
                <Trans>
                  Buat kunci di{' '}
                  <Link to="/profile" className="font-semibold text-primary-ink underline">
                    halaman akun
                  </Link>
                  . Kunci uji gratis: hasilnya bertanda air dan paling besar {pixels} megapiksel.
                </Trans>
              </li>
              <li>{t`Simpan kunci di variabel RUPA_KEY pada servermu. Jangan taruh di halaman web atau aplikasi.`}</li>
              <li>{t`Kirim fotonya:`}</li>
            </ol>
            <Segmented label={t`Bahasa pemrograman`} choices={choices} value={language} onChange={setLanguage} />
            <Code>{firstCutOut(origin)[language]}</Code>
          </Section>
          <Section title={t`Foto dari alamat web`}>
            <p className="leading-relaxed">
              {t`Foto juga bisa disebut dengan alamatnya. Hanya server publik yang dihubungi, paling lama 30 detik.`}
            </p>
            <Code>{fromAddress(origin)}</Code>
          </Section>
          <Section title={t`Tidak ditagih dua kali`}>
            <ul className="grid list-disc gap-2 pl-5 leading-relaxed">
              <li>{t`Idempotency-Key wajib: permintaan yang diulang dengan kunci yang sama tidak ditagih lagi.`}</li>
              <li>{t`POST /tools/:tool/check memeriksa foto dan menyebut harganya, gratis.`}</li>
              <li>{t`expected_credits menolak permintaan kalau harganya berubah.`}</li>
              <li>{t`Kredit kembali sendiri kalau prosesnya gagal.`}</li>
              <li>{t`Tiap kunci bisa dibatasi: izin, kredit sehari, dan masa berlaku.`}</li>
            </ul>
          </Section>
          <Section title={t`Menunggu hasil`}>
            <p className="leading-relaxed">
              {t`Dengan Prefer: wait=30 jawaban datang begitu selesai, atau 202 setelah 30 detik. Tanpa itu jawaban datang seketika: baca GET /generations/:id, atau pasang webhook di halaman akun. POST /batches memulai sampai 50 foto sekaligus.`}
            </p>
          </Section>
          <Section title={t`Webhook`}>
            <p className="leading-relaxed">
              {t`Pasang alamatmu di halaman akun, lalu simpan rahasianya di RUPA_WEBHOOK_SECRET. Pesan ditandatangani menurut Standard Webhooks, diulang sampai sehari, dan bisa dikirim lagi dari catatannya. webhook-id yang sama berarti pesan yang sama.`}
            </p>
            <Code>{webhookReceiver}</Code>
          </Section>
          <Section title={t`Pindah dari remove.bg`}>
            <p className="leading-relaxed">{t`Ganti alamat dasarnya. Klien, plugin, dan skripmu tetap sama.`}</p>
            <Code>{likeRemoveBg(origin)}</Code>
            <ul className="grid list-disc gap-2 pl-5 leading-relaxed">
              <li>{t`Semua isian remove.bg dipahami, yang belum dikenal diabaikan.`}</li>
              <li>{t`Harganya sama untuk tiap ukuran. Tiap jenis shadow_type menjadi bayangan yang sama.`}</li>
              <li>{t`Fotomu tidak dikumpulkan, jadi POST /improve selalu ditolak.`}</li>
            </ul>
          </Section>
          <Section title={t`Batas dan versi`}>
            <ul className="grid list-disc gap-2 pl-5 leading-relaxed">
              <li>{t`${calls} panggilan semenit untuk tiap kunci. Header RateLimit dan Retry-After menyebut sisanya.`}</li>
              <li>{t`Galat selalu punya code dan msg. code tidak pernah berubah.`}</li>
              <li>{t`Tiap hasil menyebut engineVersion. Header Engine-Version menolak versi lain.`}</li>
              <li>{t`Hasil disimpan 30 hari, foto asli 7 hari.`}</li>
            </ul>
          </Section>
          <Section title={t`Rujukan`}>
            <div className="flex flex-wrap gap-3">
              <a href="/api/reference" target="_blank" rel="noreferrer" className="btn btn-primary">
                {t`Semua panggilan, bisa langsung dicoba`}
              </a>
              <a href="/api/v1/openapi.json" target="_blank" rel="noreferrer" className="btn btn-outline border-line">
                OpenAPI
              </a>
              <LinkButton to="/pricing" variant="outline">
                {t`Harga`}
              </LinkButton>
            </div>
            <Code>{typedClient(origin)}</Code>
            <p className="text-muted text-sm leading-relaxed">
              {t`Perintah ini membuat klien TypeScript dengan tipe untuk tiap panggilan dan tiap galat.`}
            </p>
            <p className="text-muted text-sm leading-relaxed">
              {t`Postman dan Insomnia membuka alamat OpenAPI lewat “Import”.`}
            </p>
          </Section>
          <Section title={t`Asisten AI`}>
            <p className="leading-relaxed">
              {t`Asisten yang mengenal MCP bisa memakai semua alat: daftar alat, jalankan, dan ambil hasil. Beri alamat dan kuncimu ini. Ringkasan untuk asisten lain ada di /llms.txt.`}
            </p>
            <Code>{assistantSettings(origin)}</Code>
          </Section>
          <Section title={t`Catatan perubahan`}>
            <p className="leading-relaxed">
              {t`November 2026: versi pertama, dengan kunci, batch, webhook, dan antarmuka remove.bg.`}
            </p>
          </Section>
        </div>
      </div>
      <Footer />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="font-extrabold text-2xl">{title}</h2>
      {children}
    </section>
  )
}

function Code({ children }: { children: string }) {
  const { t } = useLingui()
  const messages = { done: t`Contoh disalin`, failed: t`Belum bisa disalin. Tahan teksnya, lalu salin.` }
  return (
    <div className="grid grid-cols-1 gap-2">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
        tabIndex={0}
        className="overflow-x-auto rounded-box border border-line bg-base-100 p-4 text-sm leading-relaxed"
      >
        {/* The server put its public address into the prerendered page, which may be opened at another. */}
        <code suppressHydrationWarning>{children}</code>
      </pre>
      <Button variant="ghost" className="justify-self-end" onClick={() => void copyText(children, messages)}>
        {t`Salin`}
      </Button>
    </div>
  )
}
