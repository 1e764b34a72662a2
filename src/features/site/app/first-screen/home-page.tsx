import './hero.css'
import { startTransition, useEffect, useState } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { Hero } from './hero.tsx'

const below = <div className="min-h-dvh bg-base-100" />
const HomeRest = lazyWithTexts(() => import('../home-rest.tsx'), 'HomeRest', below)

/** The first screen renders at once, the rest right after. */
export function HomePage() {
  const [whole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  return (
    <>
      <Hero />
      {whole ? <HomeRest /> : below}
    </>
  )
}
