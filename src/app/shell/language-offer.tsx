import { useState } from 'react'
import { useLocation } from 'wouter'
import { setLanguage } from '#client/i18n.ts'
import type { Language } from '#shared/language.ts'
import { Button } from '#ui/button.tsx'
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
