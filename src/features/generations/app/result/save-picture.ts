import { apiFetch } from '#app/api.ts'
import type { FileView } from '../../contract.ts'

/** The picture's bytes; its address is signed, so that nothing else is needed. */
export async function pictureBlob(file: Pick<FileView, 'url'>): Promise<Blob> {
  // An address elsewhere (object storage) must not be shown the access token.
  const response = file.url.startsWith('/') ? await apiFetch(file.url) : await fetch(file.url)
  if (!response.ok) throw new Error('The picture could not be loaded')
  return response.blob()
}

/** Saves the picture on the device under its name. */
export async function savePicture(file: FileView): Promise<void> {
  let address: string
  try {
    address = URL.createObjectURL(await pictureBlob(file))
  } catch (error) {
    if (file.url.startsWith('/')) throw error
    address = file.url
  }
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Whether the device can hand pictures to other apps. */
export function canSharePictures(): boolean {
  const probe = new File([new Uint8Array(1)], 'foto.png', { type: 'image/png' })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [probe] })
}

/** Opens the device's share sheet with the picture; false when the person closed it. */
export async function sharePicture(file: FileView): Promise<boolean> {
  const blob = await pictureBlob(file)
  try {
    await navigator.share({ files: [new File([blob], file.name, { type: file.contentType })] })
    return true
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false
    throw error
  }
}
