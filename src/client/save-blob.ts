import { atom } from 'jotai'
import { store } from './session.ts'

/** An app on the home screen of iOS opens a download as a preview without a way back. */
export const cannotDownload = () => (navigator as { standalone?: boolean }).standalone === true

export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  // Opens over the app, with a button that closes it.
  if (cannotDownload()) link.target = '_blank'
  link.click()
}

/** File that the user saves from a sheet of the app. */
export const fileToSaveAtom = atom<{ file: File; onSaved: () => void; onClose: () => void } | null>(null)

/** Rejects with an AbortError if the user closes the share sheet, which iOS needs. */
export async function saveBlob(blob: Blob, name: string): Promise<void> {
  if (cannotDownload()) {
    await shareFile(new File([blob], name, { type: blob.type }))
    return
  }
  const address = URL.createObjectURL(blob)
  saveAddress(address, name)
  // The browser may still be reading.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export const canShare = (file: File): boolean => navigator.canShare?.({ files: [file] }) ?? false

/** A sheet of the app helps without a recent tap, or where the system shares no such file. */
async function shareFile(file: File): Promise<void> {
  try {
    if (canShare(file)) return await navigator.share({ files: [file] })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
  }
  await new Promise<void>((resolve, reject) => {
    const end = (finish: () => void) => () => {
      store.set(fileToSaveAtom, null)
      finish()
    }
    const abort = () => reject(new DOMException('closed', 'AbortError'))
    store.set(fileToSaveAtom, { file, onSaved: end(resolve), onClose: end(abort) })
  })
}

/** Saves the target of a link with `download`. */
export async function saveLink(link: HTMLAnchorElement): Promise<void> {
  const response = await fetch(link.href).catch(() => null)
  if (response?.ok) await saveBlob(await response.blob(), link.download)
  else saveAddress(link.href, link.download)
}
