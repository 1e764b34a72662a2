/** Longer sides in pixels, tried until a logo is small enough. */
const sides = [1024, 640, 320]
/** Bytes of the PNG; the server accepts no larger one. */
const maxBytes = 500_000

/**
 * As stored and sent: an upright PNG with transparency; throws where the device cannot decode it.
 */
export async function logoFile(picked: Blob): Promise<File> {
  const bitmap = await createImageBitmap(picked)
  let made: Blob | undefined
  for (const side of sides) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    )
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    made = await canvas.convertToBlob({ type: 'image/png' })
    if (made.size <= maxBytes) break
  }
  bitmap.close()
  return new File([made as Blob], 'logo.png', { type: 'image/png' })
}

export function asDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

export function fromDataUrl(url: string): File {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
  return new File([bytes], 'logo.png', { type: 'image/png' })
}
