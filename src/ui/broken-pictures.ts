import { onlineAtom } from '#client/connection.ts'
import { store } from '#client/session.ts'

/**
 * Hides pictures that failed to load instead of showing the browser's broken icon; retries them
 * online.
 */
export function watchBrokenPictures(): void {
  const note = ({ target, type }: Event) => {
    if (target instanceof HTMLImageElement) target.toggleAttribute('data-broken', type === 'error')
  }
  document.addEventListener('error', note, true)
  document.addEventListener('load', note, true)
  store.sub(onlineAtom, () => {
    if (!store.get(onlineAtom)) return
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-broken]')) {
      const { src } = picture
      picture.src = src
    }
  })
}
