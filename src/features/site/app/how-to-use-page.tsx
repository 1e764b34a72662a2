import { useLingui } from '@lingui/react/macro'
import { Check, X } from 'lucide-react'
import { LinkButton } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { paymentQuestions, Questions } from './faq.tsx'
import { Footer } from './footer.tsx'
import { Steps } from './how-to-steps.tsx'

function Advice({ good, children }: { good: boolean; children: string }) {
  const Icon = good ? Check : X
  return (
    <li className="flex items-start gap-3">
      <span
        className={`grid size-[min(1.25rem,24px)] shrink-0 place-items-center rounded-full ${good ? 'bg-success text-success-content' : 'bg-error text-error-content'}`}
      >
        <Icon aria-hidden className="size-3.5" />
      </span>
      <span className="wrap-anywhere min-w-0 pt-0.5 leading-relaxed">{children}</span>
    </li>
  )
}

export function HowToUsePage() {
  const { t } = useLingui()
  return (
    <>
      <div className="page">
        <PageHeader title={t`Cara pakai`}>{t`Dari foto biasa ke hasil jadi, dalam tiga langkah.`}</PageHeader>
        <h2 className="sr-only">{t`Tiga langkah, selesai`}</h2>
        <div className="py-4">
          <Steps />
        </div>
        <h2 className="mt-12 mb-5 font-extrabold text-2xl md:text-3xl">{t`Foto yang hasilnya bagus`}</h2>
        <div className="grid grid-cols-1 gap-5 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
          <ul aria-label={t`Sebaiknya`} className="card grid grid-cols-1 content-start gap-3 p-5">
            <Advice good>{t`Foto jelas dan tajam`}</Advice>
            <Advice good>{t`Wajah menghadap depan`}</Advice>
            <Advice good>{t`Cahaya rata, misalnya di dekat jendela`}</Advice>
          </ul>
          <ul aria-label={t`Hindari`} className="card grid grid-cols-1 content-start gap-3 p-5">
            <Advice good={false}>{t`Sudut dari samping`}</Advice>
            <Advice good={false}>{t`Kacamata`}</Advice>
            <Advice good={false}>{t`Cahaya berlebih`}</Advice>
            <Advice good={false}>{t`Wajah yang tertutup`}</Advice>
          </ul>
        </div>
        <h2 className="mt-12 mb-5 font-extrabold text-2xl md:text-3xl">{t`Berapa lama?`}</h2>
        <ul className="grid gap-2 leading-relaxed">
          <li>{t`Headshot siap dalam 5–15 detik.`}</li>
          <li>{t`Hasil edit khusus dikirim ke emailmu dalam 2 sampai 4 hari.`}</li>
        </ul>
        <div className="mt-8">
          <LinkButton to="/ai-background-removal" size="lg">
            {t`Coba hapus latar`}
          </LinkButton>
        </div>
        <h2 className="mt-14 mb-5 font-extrabold text-2xl md:text-3xl">{t`Yang sering ditanyakan`}</h2>
        <div className="max-w-3xl">
          <Questions more={paymentQuestions} />
        </div>
      </div>
      <Footer />
    </>
  )
}
