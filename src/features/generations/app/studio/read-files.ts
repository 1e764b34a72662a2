import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { formatBytes } from '#client/format.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { chooseFile } from '../decode-picture.ts'
import type { DraftFile } from '../draft.ts'
import type { ChosenPicture } from '../picture.ts'
import { problemLabels } from '../picture-problems.ts'
import { askedInputs, type Inputs, kindFor, maxFiles, takesVideo } from './inputs.ts'
import { markCopy } from './sample-photos.ts'
import { type PickedPictures, withAddedPictures } from './studio-state.ts'

export async function readFiles(
  page: AnyToolPage,
  inputs: Inputs,
  files: readonly DraftFile[],
): Promise<{ picked: PickedPictures[]; problems: string[] }> {
  const max = askedInputs(page).reduce((sum, [name]) => sum + maxFiles(page.definition, name), 0)
  const problems = new Set<string>()
  const chosen = new Map<string | undefined, ChosenPicture[]>()
  for (const { file, input, id, output } of files.slice(0, max)) {
    const picture = await chooseFile(file, kindFor(page, file, input))
    if (typeof picture === 'string') {
      problems.add(i18n._(problemLabels[picture]))
      continue
    }
    markCopy(file, picture.original)
    // Earlier drawings are found by the picture's id.
    const known = { ...(id && { id }), ...(output && { output }) }
    chosen.set(input, [...(chosen.get(input) ?? []), { ...picture, ...known }])
  }
  const picked = [...chosen].map(([input, pictures]) => ({ input, pictures }))
  if (withAddedPictures(page, inputs, picked).left > 0 || files.length > max) {
    problems.add(
      takesVideo(page.definition)
        ? t`Hanya satu video sekaligus. Sisanya tidak ikut.`
        : t`${plural(max, { other: 'Paling banyak # foto sekaligus. Sisanya tidak ikut.' })}`,
    )
  }
  return { picked, problems: [...problems] }
}

export async function tellFullStorage(): Promise<void> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate().catch(() => undefined)) ?? {}
  const left = formatBytes(Math.max(0, quota - usage))
  showSnackbar(
    'error',
    t`Ruang di perangkat ini tinggal ${left}. Fotomu tidak tersimpan: jangan tutup halaman ini sebelum selesai.`,
  )
}
