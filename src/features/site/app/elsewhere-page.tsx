import { useLocation } from 'wouter'
import { comingTools } from '#app/coming-tools.tsx'
import { ComingSoonPage } from './coming-soon-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** A path that no screen has: a tool that is still to come, or nothing. */
export function ElsewherePage() {
  const [path] = useLocation()
  return comingTools.some(({ route }) => route === path) ? <ComingSoonPage /> : <NotFoundPage />
}
