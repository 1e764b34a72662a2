import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { setLanguage } from '#client/i18n.ts'
import type { Language } from '#shared/language.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { PromptCard } from '#ui/prompt-card.tsx'
import { detailsOf, findPage } from '../pages.ts'

export function LanguageOffer() {
  const [open, setOpen] = useState(true)
  const [path] = useLocation()
  const page = findPage(path)
  const choose = (language: Language) => {
    setOpen(false)
    void setLanguage(language)
  }
  return (
    <PromptCard
      actions={
        <>
          <Button variant="ghost" lang="id" onClick={() => choose('id')}>
            Tetap Indonesia
          </Button>
          <Button lang="en" onClick={() => choose('en')}>
            English
          </Button>
        </>
      }
    >
      {open && !(page && detailsOf(page).frame) && (
        <p lang="en" className="leading-relaxed">
          <strong className="block">Use Rupa in English?</strong>
          <span className="text-muted text-sm">You can change it any time in the menu.</span>
        </p>
      )}
    </PromptCard>
  )
}

export function SessionEnded() {
  const { t } = useLingui()
  const [path] = useLocation()
  return (
    <div role="status" className="page py-2">
      <div className="card flex-row flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <p className="min-w-48 flex-1 text-sm leading-relaxed">
          <strong className="block text-base">{t`Sesimu sudah berakhir`}</strong>
          {t`Masuk lagi untuk melanjutkan. Foto dan unggahan yang menunggu tetap tersimpan di sini.`}
        </p>
        <LinkButton to="/login" state={{ from: path }}>
          {t`Masuk lagi`}
        </LinkButton>
      </div>
    </div>
  )
}
