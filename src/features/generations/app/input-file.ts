import { i18n } from '@lingui/core'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { ChosenPicture } from './picture.ts'
import { problemLabels } from './picture-problems.ts'

/** Shows why a file is unusable, and returns null. */
export async function chooseInputFile(file: File): Promise<ChosenPicture | null> {
  const { choosePicture } = await import('./decode-picture.ts')
  const chosen = await choosePicture(file)
  if (typeof chosen !== 'string') return chosen
  showSnackbar('error', i18n._(problemLabels[chosen]))
  return null
}

export async function inputFileToSend(file: File): Promise<File | null> {
  const chosen = await chooseInputFile(file)
  if (!chosen) return null
  const { pictureToSend } = await import('./decode-picture.ts')
  const { blob, name } = await pictureToSend(chosen, true)
  return new File([blob], name, { type: blob.type })
}
