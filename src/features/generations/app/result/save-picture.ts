import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { apiFetch } from '#client/api.ts'
import { saveAddress, saveBlob } from '#client/save-blob.ts'
import { type ImageFormat, imageFormatInfo, imageFormats } from '#shared/media.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import type { FileView } from '../../schemas.ts'

export const isPicture = ({ contentType }: Pick<FileView, 'contentType'>) => contentType.startsWith('image/')

export async function pictureBlob(file: Pick<FileView, 'url'>): Promise<Blob> {
  // The access token must not be sent to another origin (object storage).
  const response = file.url.startsWith('/') ? await apiFetch(file.url) : await fetch(file.url)
  if (!response.ok) throw new Error('The file could not be loaded')
  return response.blob()
}

export async function saveFile(file: FileView): Promise<void> {
  const blob = await pictureBlob(file).catch((error: unknown) => {
    if (file.url.startsWith('/')) throw error
  })
  if (blob) await saveBlob(blob, file.name)
  else saveAddress(file.url, file.name)
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
  await saveBlob(await downloadZip(entries).blob(), `${name}.zip`)
}

export function canShareFiles(): boolean {
  const probe = new File([new Uint8Array(1)], 'foto.png', { type: 'image/png' })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [probe] })
}

export const formatNames: Record<ImageFormat, string> = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' }

const otherNames: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'video/webm': 'WebM',
  'video/mp4': 'MP4',
}

export function formatName(contentType: string): string {
  const known = imageFormats.find((format) => imageFormatInfo[format].contentType === contentType)
  return known ? formatNames[known] : (otherNames[contentType] ?? contentType)
}

/** If loading outlasts the browser's user activation, the files are ready for a second tap. */
export function useShare(wanted: () => Promise<readonly FileView[]>) {
  const { t } = useLingui()
  const loaded = useRef<{ ids: string; files: File[] } | null>(null)
  return useAction(async () => {
    const views = await wanted()
    const ids = views.map(({ id }) => id).join()
    if (loaded.current?.ids !== ids) {
      const load = async (view: FileView) => new File([await pictureBlob(view)], view.name, { type: view.contentType })
      loaded.current = { ids, files: await Promise.all(views.map(load)) }
    }
    try {
      await navigator.share({ files: loaded.current.files })
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      if (error.name === 'NotAllowedError') showSnackbar('success', t`Siap dibagikan. Ketuk sekali lagi.`)
      // The user closed the sheet.
      else if (error.name !== 'AbortError') throw error
    }
  })
}
