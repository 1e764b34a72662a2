import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { PrepareFile } from '#features/uploads/app/uploads.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { ChosenPicture } from './picture.ts'
import { problemLabels } from './picture-problems.ts'

/** Shows why a file is unusable, and returns null. */
export async function chooseInputFile(file: File): Promise<ChosenPicture | null> {
  const { choosePicture } = await import('./studio/read-files.ts')
  const chosen = await choosePicture(file)
  if (typeof chosen !== 'string') return chosen
  showSnackbar('error', i18n._(problemLabels[chosen]))
  return null
}

export async function inputFileToSend(file: File): Promise<File | null> {
  const chosen = await chooseInputFile(file)
  if (!chosen) return null
  const { pictureToSend } = await import('./studio/read-files.ts')
  const { blob, name } = await pictureToSend(chosen, true)
  return new File([blob], name, { type: blob.type })
}

/** Marks on the lost picture need another one of the same size. */
export const fileToReplace: PrepareFile = async (file, size) => {
  const { chooseFile, pictureToSend } = await import('./studio/read-files.ts')
  const chosen = await chooseFile(file, file.type.startsWith('video/') ? 'video' : 'picture')
  if (typeof chosen === 'string') {
    showSnackbar('error', i18n._(problemLabels[chosen]))
    return null
  }
  for (const shrink of [true, false]) {
    const sent = await pictureToSend(chosen, shrink)
    if (!size || (sent.size?.width === size.width && sent.size.height === size.height)) return sent
  }
  showSnackbar('error', t`Ukuran foto ini lain. Pilih foto yang sama seperti tadi, ya.`)
  return null
}
