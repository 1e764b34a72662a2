import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { isAuthenticatedAtom } from '#client/session.ts'
import { LinkButton } from '#ui/button.tsx'
import { Footer } from './footer.tsx'
import { Packages } from './packages-section.tsx'
import { Questions } from './questions.tsx'
import { Steps } from './steps.tsx'
import { Stories } from './stories.tsx'
import { ToolGallery } from './tool-gallery.tsx'

function Section({ id, title, lead, children }: { id: string; title: string; lead?: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="page py-12 md:py-20">
      <h2 id={id} className="font-extrabold text-3xl md:text-[2.75rem] md:leading-tight">
        {title}
      </h2>
      {lead && <p className="mt-2.5 max-w-xl text-lg text-muted leading-relaxed">{lead}</p>}
      <div className="mt-8 md:mt-10">{children}</div>
    </section>
  )
}

/**
 * How many of some parts to show: one more whenever the browser has time, so that a slow phone does
 * not stall over all of them.
 */
function useOneByOne(parts: number): number {
  const [shown, setShown] = useState(1)
  useEffect(() => {
    if (shown >= parts) return
    const more = () => startTransition(() => setShown(shown + 1))
    if (!window.requestIdleCallback) {
      const timer = setTimeout(more)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(more, { timeout: 500 })
    return () => cancelIdleCallback(idle)
  }, [shown, parts])
  return shown
}

/** Waits with what has to be asked for until somebody is about to see it. */
function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100% 0px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  return near ? children : <div ref={place} className="min-h-dvh" />
}

/** The home page below its first screen. */
export function HomeRest() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const parts = [
    <div key="how" className="bg-base-100">
      <Section id="how" title={t`Tiga langkah, selesai`}>
        <Steps />
      </Section>
    </div>,
    <Section
      key="tools"
      id="tools"
      title={t`Satu aplikasi, banyak alat`}
      lead={t`Sebelum di kiri, sesudah di kanan: semua dibuat dengan Rupa.`}
    >
      <ToolGallery />
    </Section>,
    <div key="stories" className="bg-base-100">
      <Section id="stories" title={t`Dipakai untuk apa saja?`}>
        <Stories />
      </Section>
    </div>,
    <Section
      key="packages"
      id="packages"
      title={t`Bayar per hasil`}
      lead={t`Beli kredit sekali, pakai 30 hari. Tidak diperpanjang otomatis.`}
    >
      <WhenNear>
        <Packages />
      </WhenNear>
    </Section>,
    <div key="faq" className="bg-base-100">
      <Section id="faq" title={t`Yang sering ditanyakan`}>
        <div className="max-w-3xl">
          <Questions />
        </div>
      </Section>
    </div>,
    !signedIn && <Invitation key="invitation" />,
    <Footer key="footer" />,
  ]
  return parts.slice(0, useOneByOne(parts.length))
}

function Invitation() {
  const { t } = useLingui()
  return (
    <section className="page pt-14 text-center md:pt-24">
      <h2 className="font-extrabold text-3xl md:text-5xl">{t`Coba dengan fotomu sendiri`}</h2>
      <p className="mx-auto mt-3 max-w-md text-lg text-muted">{t`Daftar gratis dan langsung dapat kredit untuk mencoba.`}</p>
      <LinkButton to="/register" size="lg" className="mt-7">
        {t`Daftar gratis`}
      </LinkButton>
    </section>
  )
}
