import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { formatDate } from '#client/format.ts'
import { languageAtom } from '#client/i18n.ts'
import type { Language } from '#shared/language.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { Footer } from './footer.tsx'
import { Privacy as PrivacyEnglish, Terms as TermsEnglish } from './legal/texts.en.tsx'
import { Privacy as PrivacyIndonesian, Terms as TermsIndonesian } from './legal/texts.id.tsx'

const changedOn = '2026-11-29'

type Document = Record<Language, ComponentType>

// Whole documents for each language instead of catalogue messages.
const privacy: Document = { id: PrivacyIndonesian, en: PrivacyEnglish }
const terms: Document = { id: TermsIndonesian, en: TermsEnglish }

export function LegalPage() {
  const { t } = useLingui()
  const [path] = useLocation()
  const isPrivacy = path === '/privacy-policy'
  const Text = (isPrivacy ? privacy : terms)[useAtomValue(languageAtom)]
  const date = formatDate(changedOn)
  return (
    <>
      <div className="page">
        <PageHeader title={isPrivacy ? t`Kebijakan privasi` : t`Syarat layanan`}>{t`Berlaku sejak ${date}`}</PageHeader>
        <div className="max-w-3xl [&_a]:font-semibold [&_a]:text-primary [&_a]:underline [&_h2]:mt-9 [&_h2]:font-bold [&_h2]:text-xl [&_p,&_ul]:mt-3 [&_p,&_ul]:leading-[1.7] [&_ul]:list-disc [&_ul]:pl-5">
          <Text />
        </div>
      </div>
      <Footer />
    </>
  )
}
