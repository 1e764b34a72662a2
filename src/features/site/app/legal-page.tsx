import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { formatDate } from '#client/format.ts'
import { languageAtom } from '#client/i18n.ts'
import { lazyComponent } from '#client/lazy.ts'
import type { Language } from '#contract/language.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { SkeletonText } from '#ui/skeleton.tsx'
import { Footer } from './footer.tsx'

const changedOn = '2026-11-21'

type Document = Record<Language, ComponentType>

// Whole documents in each language, not sentences of the catalogue.
const place = <SkeletonText lines={8} />
const privacy: Document = {
  id: lazyComponent(() => import('./legal/privacy.id.tsx'), 'Privacy', place),
  en: lazyComponent(() => import('./legal/privacy.en.tsx'), 'Privacy', place),
}
const terms: Document = {
  id: lazyComponent(() => import('./legal/terms.id.tsx'), 'Terms', place),
  en: lazyComponent(() => import('./legal/terms.en.tsx'), 'Terms', place),
}

function LegalPage({ title, document }: { title: string; document: Document }) {
  const { t } = useLingui()
  const language = useAtomValue(languageAtom)
  const Text = document[language]
  const date = formatDate(changedOn)
  return (
    <>
      <div className="page">
        <PageHeader title={title}>{t`Berlaku sejak ${date}`}</PageHeader>
        <div className="max-w-3xl [&_a]:font-semibold [&_a]:text-primary [&_a]:underline [&_h2]:mt-9 [&_h2]:font-bold [&_h2]:text-xl [&_p,&_ul]:mt-3 [&_p,&_ul]:leading-[1.7] [&_ul]:list-disc [&_ul]:pl-5">
          <Text />
        </div>
      </div>
      <Footer />
    </>
  )
}

export function PrivacyPage() {
  const { t } = useLingui()
  return <LegalPage title={t`Kebijakan privasi`} document={privacy} />
}

export function TermsPage() {
  const { t } = useLingui()
  return <LegalPage title={t`Syarat layanan`} document={terms} />
}
