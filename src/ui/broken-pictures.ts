import { onlineAtom } from '#client/connection.ts'
import { store } from '#client/session.ts'

/**
 * Pictures that could not be loaded, e.g. because they were never seen on this device and the
 * connection is gone, leave their ground empty instead of showing the browser's torn sheet; they
 * are asked for anew when the connection is back.
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
