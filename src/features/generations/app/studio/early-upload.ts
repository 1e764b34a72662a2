import { ApiError } from '#client/api.ts'
import { type NewFile, uploadEarly } from '#features/uploads/app/uploads.ts'
import type { InputRef } from '#features/uploads/types.ts'
import { pictureToSend } from '../decode-picture.ts'
import type { ChosenPicture } from '../picture.ts'

/** Prepared once for the check and the following generation. */
interface Prepared {
  file: ReturnType<typeof pictureToSend>
  begun: NewFile['begun']
}

const prepared = new WeakMap<Blob, Map<boolean, Prepared>>()

function prepare(picture: ChosenPicture, shrink: boolean): Prepared {
  const forms = prepared.get(picture.original) ?? new Map<boolean, Prepared>()
  prepared.set(picture.original, forms)
  const known = forms.get(shrink)
  if (known) return known
  const made: Prepared = { file: pictureToSend(picture, shrink), begun: undefined }
  forms.set(shrink, made)
  return made
}

export async function fileToSend(picture: ChosenPicture, shrink: boolean) {
  const { file, begun } = prepare(picture, shrink)
  const { blob, name, size } = await file
  return { file: { blob, name, begun, output: picture.output } satisfies NewFile, size }
}

/** Uploads a file for the free check; the generation reuses the upload. */
export async function uploadForCheck(picture: ChosenPicture, shrink: boolean, signal: AbortSignal): Promise<InputRef> {
  if (picture.output) return { file: picture.output }
  const own = prepare(picture, shrink)
  const { blob, name } = await own.file
  if (!own.begun?.arrived) {
    const onBegun = (uploadUrl: string) => {
      own.begun = { uploadUrl, arrived: false }
    }
    await uploadEarly({ blob, name, begun: own.begun }, { signal, onBegun }).catch((error: unknown) => {
      if (error instanceof ApiError) own.begun = undefined
      throw error
    })
    if (own.begun) own.begun = { ...own.begun, arrived: true }
  }
  return { upload: own.begun?.uploadUrl.split('/').at(-1) ?? '' }
}

export function forgetEarlyUpload(picture: ChosenPicture): void {
  for (const form of prepared.get(picture.original)?.values() ?? []) form.begun = undefined
}
