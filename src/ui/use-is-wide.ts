import { useSyncExternalStore } from 'react'

/** Tailwind's `lg`. */
const wide = '(min-width: 64rem)'

function follow(onChange: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True when the window fits all options of a studio. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    follow,
    () => matchMedia(wide).matches,
    () => false,
  )
