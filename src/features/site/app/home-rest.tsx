import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { loadContinueOffer } from '#features/generations/app/generations.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import { ToolIcon, ToolPicture } from '#tools/ui/tool-picture.tsx'
import { LinkButton } from '#ui/button.tsx'
import { WelcomeOffer } from '#ui/welcome-offer.tsx'
import { Questions } from './faq.tsx'
import { Footer } from './footer.tsx'
import { Steps } from './how-to-steps.tsx'
import { inLastRow } from './last-row.ts'
import { Packages } from './packages-section.tsx'

const ContinueOffer = lazyComponent(loadContinueOffer, 'ContinueOffer', null)

function Section({ id, title, lead, children }: { id: string; title: string; lead?: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="page below-fold py-12 md:py-20">
      <h2 id={id} className="font-extrabold text-3xl md:text-[2.75rem] md:leading-tight">
        {title}
      </h2>
      {lead && <p className="mt-2.5 max-w-xl text-lg text-muted leading-relaxed">{lead}</p>}
      <div className="mt-8 md:mt-10">{children}</div>
    </section>
  )
}

/** Delays requests of its children until they are about to become visible. */
function WhenNear({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100% 0px' },
    )
    if (container.current) watcher.observe(container.current)
    return () => watcher.disconnect()
  }, [])
  return near ? children : <div ref={container} className="min-h-dvh" />
}

export function HomeRest() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  return (
    <>
      <div className="page">
        <ContinueOffer />
      </div>
      <div className="bg-base-100">
        <Section id="how" title={t`Tiga langkah, selesai`}>
          <Steps />
        </Section>
      </div>
      <Section
        id="tools"
        title={t`Satu aplikasi, banyak alat`}
        lead={t`Sebelum di kiri, sesudah di kanan: semua dibuat dengan Rupa.`}
      >
        <ToolGallery />
      </Section>
      <div className="bg-base-100">
        <Section id="stories" title={t`Dipakai untuk apa saja?`}>
          <Stories />
        </Section>
      </div>
      <Section
        id="packages"
        title={t`Bayar per hasil`}
        lead={t`Beli kredit sekali, pakai 30 hari. Tidak diperpanjang otomatis.`}
      >
        <WhenNear>
          <Packages />
        </WhenNear>
      </Section>
      <div className="bg-base-100">
        <Section id="faq" title={t`Yang sering ditanyakan`}>
          <div className="max-w-3xl">
            <Questions />
          </div>
        </Section>
      </div>
      {!signedIn && <Invitation />}
      <Footer />
    </>
  )
}

function Invitation() {
  const { t } = useLingui()
  return (
    <section className="page pt-14 text-center md:pt-24">
      <h2 className="font-extrabold text-3xl md:text-5xl">{t`Coba dengan fotomu sendiri`}</h2>
      <p className="mx-auto mt-3 max-w-md text-lg text-muted">
        <WelcomeOffer />
      </p>
      <LinkButton to="/register" size="lg" className="mt-7">
        {t`Daftar gratis`}
      </LinkButton>
    </section>
  )
}

/** Labelled as examples, not of real persons. */
function Stories() {
  const { t } = useLingui()
  const stories = [
    {
      tool: 'background-removal',
      who: t`Jualan rumahan`,
      story: t`Foto di meja dapur, latarnya diganti warna polos. Etalase toko jadi seragam tanpa perlu studio.`,
    },
    {
      tool: 'passport-photo',
      who: t`Melamar kerja`,
      story: t`Pasfoto mendadak malam-malam: selfie di kamar, latar merah, langsung dikirim lewat HP.`,
    },
    {
      tool: 'headshot',
      who: t`Panitia acara`,
      story: t`Puluhan foto panitia dengan latar berantakan jadi satu gaya untuk buku acara, walau sinyal di aula jelek.`,
    },
  ]
  return (
    <ul className="grid grid-cols-1 gap-5 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      {stories.map(({ tool, who, story }) => (
        <li key={who} className="card overflow-hidden">
          {publicToolEntries
            .filter(({ id }) => id === tool)
            .map((entry) => (
              <ToolPicture key={tool} tool={entry} lazy />
            ))}
          <div className="p-6">
            <h3 className="font-bold text-lg">{who}</h3>
            <p className="mt-2 text-muted leading-relaxed">{story}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ToolGallery() {
  const { t, i18n } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-4 md:grid-cols-[repeat(auto-fit,minmax(max(14rem,30%),1fr))] md:gap-6">
        {publicToolEntries.map((tool) => {
          const ownRow = inLastRow(tool)
          return (
            <li key={tool.id} style={ownRow}>
              <Link
                to={tool.route}
                className={`card h-full overflow-hidden transition-shadow hover:shadow-lift ${ownRow ? 'flex-row items-center pl-5' : ''}`}
              >
                {ownRow ? <ToolIcon mark={tool.icon} className="size-9" /> : <ToolPicture tool={tool} lazy />}
                <span className="grid gap-0.5 p-3.5 md:p-5">
                  <span className="font-bold leading-snug md:text-xl">{i18n._(tool.name)}</span>
                  <span className="text-muted text-sm leading-snug md:text-base">{i18n._(tool.tagline)}</span>
                  {!signedIn && !ownRow && (
                    <span className="mt-1 font-semibold text-primary-ink text-sm md:text-base">{t`Coba gratis`}</span>
                  )}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      <p className="mt-4 text-muted text-xs">
        {t`Potret: NASA dan US Navy, domain publik. Mereka tidak terkait dengan Rupa.`}
      </p>
    </>
  )
}
