import { i18n } from '@lingui/core'
import { showSnackbar } from '#app/snackbar.tsx'
import { choosePicture, pictureToSend } from './picture.ts'
import { problemWords } from './words.ts'

/** Takes a further picture for a tool, such as an own background, as it will be sent; says why when it cannot be used. */
export async function takeFurtherPicture(file: File, take: (file: File) => void): Promise<boolean> {
  const chosen = await choosePicture(file)
  if (typeof chosen === 'string') {
    showSnackbar('error', i18n._(problemWords[chosen]))
    return false
  }
  const { blob, name } = await pictureToSend(chosen, true)
  take(new File([blob], name, { type: blob.type }))
  return true
}
