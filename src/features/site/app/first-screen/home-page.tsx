import './hero.css'
import { startTransition, useEffect, useState } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { preloadStudio } from '#features/generations/app/generations.ts'
import { afterInstantStage, isInstantStageShown } from '#ui/instant-stage.ts'
import { Hero, photoTool } from './hero.tsx'

const below = <div className="min-h-dvh bg-base-100" />
const HomeRest = lazyWithTexts(() => import('../home-rest.tsx'), 'HomeRest', below)

/** Requests the studio of a photo that was chosen before the app's code had loaded. */
export function preloadForPhoto(): void {
  if (!import.meta.env.SSR && isInstantStageShown()) preloadStudio(photoTool)
}

/** The first screen renders at once, the rest right after, unless the user waits for a studio. */
export function HomePage() {
  const [whole, setWhole] = useState(false)
  useEffect(() => {
    void afterInstantStage().then(() => startTransition(() => setWhole(true)))
  }, [])
  return (
    <>
      <Hero />
      {whole ? <HomeRest /> : below}
    </>
  )
}
