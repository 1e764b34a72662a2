import { apiFetch } from '#client/api.ts'
import { saveAddress, saveBlob } from '#client/save-blob.ts'
import type { FileView } from '../../schemas.ts'

export const isPicture = ({ contentType }: Pick<FileView, 'contentType'>) => contentType.startsWith('image/')

export async function pictureBlob(file: Pick<FileView, 'url'>): Promise<Blob> {
  // The access token must not be sent to another origin (object storage).
  const response = file.url.startsWith('/') ? await apiFetch(file.url) : await fetch(file.url)
  if (!response.ok) throw new Error('The file could not be loaded')
  return response.blob()
}

export async function saveFile(file: FileView): Promise<void> {
  try {
    saveBlob(await pictureBlob(file), file.name)
  } catch (error) {
    if (file.url.startsWith('/')) throw error
    saveAddress(file.url, file.name)
  }
}

export async function saveAll(files: readonly FileView[], name: string): Promise<void> {
  const { downloadZip } = await import('client-zip')
  const taken = new Set<string>()
  const entries = await Promise.all(
    files.map(async (file, index) => {
      const free = taken.has(file.name)
        ? file.name.replace(/(\.[^.]*)?$/, (extension) => `-${index + 1}${extension}`)
        : file.name
      taken.add(free)
      return { name: free, input: await pictureBlob(file) }
    }),
  )
  saveBlob(await downloadZip(entries).blob(), `${name}.zip`)
}

export function canShareFiles(): boolean {
  const probe = new File([new Uint8Array(1)], 'foto.png', { type: 'image/png' })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [probe] })
}
