/**
 * public/early.js shows a chosen photo before any other code has loaded. The photo stays on top
 * until the studio shows it itself.
 */
declare global {
  interface Window {
    showInstantStage?: (picture: Blob | string | undefined, title: string) => void
  }
}

const longestMs = 8000

/** `picture` is a file or an address. Does nothing while a studio or such a photo is shown. */
export const showInstantStage = (picture: Blob | string | undefined, title: string): void =>
  window.showInstantStage?.(picture, title)

export const isInstantStageShown = (): boolean => document.getElementById('instant-stage') !== null

/** Resolves once no chosen photo waits for its studio, which needs a slow connection for itself. */
export function afterInstantStage(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (isInstantStageShown()) return
      observer.disconnect()
      resolve()
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true })
    look()
  })
}

export function removeInstantStage(): void {
  document.getElementById('instant-stage')?.remove()
}

/** Removes the photo once `stage` has a decoded picture. */
export function replaceInstantStage(stage: HTMLElement | null): () => void {
  if (!stage || !isInstantStageShown()) return () => undefined
  const look = () => {
    const picture = stage.querySelector('img, video, canvas')
    if (!picture) return
    stop()
    const decoded = picture instanceof HTMLImageElement ? picture.decode() : Promise.resolve()
    void decoded.catch(() => undefined).then(removeInstantStage)
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(removeInstantStage, longestMs)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
  }
  observer.observe(stage, { childList: true, subtree: true })
  look()
  return () => {
    stop()
    removeInstantStage()
  }
}
