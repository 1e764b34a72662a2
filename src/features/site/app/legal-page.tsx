import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
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

/** /privacy-policy and /terms-of-service. */
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
