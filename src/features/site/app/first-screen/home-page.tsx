import './hero.css'
import { lazy, Suspense, startTransition, useEffect, useState } from 'react'
import { loadPageTexts } from '#client/i18n.ts'
import { Hero } from './hero.tsx'

const HomeRest = lazy(async () => {
  const [rest] = await Promise.all([import('../home-rest.tsx'), loadPageTexts()])
  return { default: rest.HomeRest }
})

/** / : the first screen comes at once, what lies below it right after. */
export function HomePage() {
  const [whole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const below = <div className="min-h-dvh bg-base-100" />
  return (
    <>
      <Hero />
      {whole ? (
        <Suspense fallback={below}>
          <HomeRest />
        </Suspense>
      ) : (
        below
      )}
    </>
  )
}
